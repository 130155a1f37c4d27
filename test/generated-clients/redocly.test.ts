import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.js';
import { redocly } from './generators.js';
import { newPartner } from './partner.js';
import { createProject, generateClient, runProgram } from './run-program.js';

let service: TestService;
let folder: string;
beforeAll(async () => {
  folder = await createProject();
  service = await startTestService();
});
afterAll(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

test('§1 a client that Redocly generates compiles strictly, and does what partners do', async () => {
  await generateClient(folder, redocly.typeScript);
  const partner = await newPartner(service);
  expect(await runProgram(folder, 'redocly', partner)).toEqual(partner.expected);
});
