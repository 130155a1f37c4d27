// @module-tag long
import { expect, onTestFinished, test } from 'vitest';
import { startTestService } from '../support/test-service.js';
import { redocly } from './generators.js';
import { newPartner } from './partner.js';
import { createProject, generateClient, runProgram } from './run-program.js';

test('§1 a client that Redocly generates compiles strictly, and does what partners do', async () => {
  const folder = await createProject();
  const service = await startTestService();
  onTestFinished(() => service.close());
  await generateClient(folder, redocly.typeScript);
  const partner = await newPartner(service);
  expect(await runProgram(folder, 'redocly', partner)).toEqual(partner.expected);
});
