import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.js';
import { newPartner } from './partner.js';
import { command, runProgram, specPath } from './run-program.js';

const redocly = join(
  createRequire(import.meta.url).resolve('@redocly/cli/package.json'),
  '../bin/cli.js',
);

let service: TestService;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adx-generated-'));
  service = await startTestService();
});
afterAll(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

test('§1 a client that Redocly generates compiles strictly, and does what partners do', async () => {
  await command(folder, {}, redocly, 'generate-client', specPath, '--output', 'client.ts');
  const { settings, expected } = await newPartner(service);
  expect(await runProgram(folder, 'redocly.ts', settings)).toEqual(expected);
});
