import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../support/run-command.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { redocly } from './generators.js';
import { newPartner } from './partner.js';
import { createProject, generateClient, programs } from './run-program.js';

// With few retries, because pip tries an index that cannot be reached for a minute before it takes another.
const install = ['install', '--quiet', '--retries', '1', 'httpx==0.28.1', 'mypy==2.4.0'];

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

test('§1 a client in Python that Redocly generates has consistent types, and does what partners do', async () => {
  const run = (command: string, ...parameters: string[]) =>
    runCommand(command, parameters, { cwd: folder });
  await run('python3', '-m', 'venv', 'python');
  const python = join(folder, 'python/bin/python');
  await run(python, '-m', 'pip', ...install);
  await generateClient(folder, redocly.python);
  await cp(join(programs, 'redocly.py'), join(folder, 'redocly.py'));
  await run(python, '-m', 'mypy', '--strict', 'redocly.py', 'client.py');
  const { settings, expected } = await newPartner(service);
  const output = await runCommand(python, ['redocly.py'], { cwd: folder, env: settings });
  expect(JSON.parse(output)).toEqual(expected);
});
