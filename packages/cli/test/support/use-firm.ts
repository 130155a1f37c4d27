import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { TestServiceOptions } from '../../../../test/support/test-service.js';
import { type Firm, startFirm } from './firm.js';
import { newFolder } from './folders.js';
import { adxJson, expectFailure, runAdx } from './run-adx.js';

/** Gives a test file a firm, and a folder for the files that it writes. */
export function useFirm(options?: TestServiceOptions) {
  let firm: Firm;
  let folder: string;
  beforeAll(async () => {
    firm = await startFirm(options);
    folder = await newFolder();
  });
  afterAll(async () => {
    await firm.service.close();
    await rm(folder, { recursive: true });
  });
  return {
    firm: () => firm,
    /** Runs `adx` as the firm. */
    adx: <Output = unknown>(...parameters: string[]) => adxJson<Output>(parameters, firm),
    /** Runs `adx` as the firm. It must end with the exit code of wrong use, and say this. */
    refused: (said: string, ...parameters: string[]) =>
      expectFailure(runAdx(parameters, firm), 2, said),
    path: (name: string) => join(folder, name),
  };
}
