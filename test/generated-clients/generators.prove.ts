import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../support/run-command.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { type Generator, generators, redocly } from './generators.js';
import { newPartner } from './partner.js';
import { createProject, generateClient, programs, runProgram } from './run-program.js';

const configs = fileURLToPath(new URL('configs', import.meta.url));
const npmInstall = 'install --no-save --no-audit --no-fund --ignore-scripts --no-engine-strict';
// With few retries, because pip tries an index that cannot be reached for a minute before it takes
// another.
const pipInstall = ['install', '--quiet', '--retries', '1', 'httpx==0.28.1', 'mypy==2.4.0'];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.close());

test.each(Object.entries(generators))(
  '§1 a client that %s generates compiles strictly, and does what partners do',
  async (name, generator) => {
    const folder = await createProject();
    await installAndGenerate(folder, generator);
    const partner = await newPartner(service);
    const output = await runProgram(folder, name, partner, generator.relaxed);
    expect(output).toEqual(partner.expected);
  },
);

test('§1 a client in Python that Redocly generates has consistent types, and does what partners do', async () => {
  const folder = await createProject();
  await runCommand('python3', ['-m', 'venv', 'python'], { cwd: folder });
  const python = join(folder, 'python/bin/python');
  await runCommand(python, ['-m', 'pip', ...pipInstall], { cwd: folder });
  await generateClient(folder, redocly.python);
  await cp(join(programs, 'redocly.py'), join(folder, 'redocly.py'));
  await runCommand(python, ['-m', 'mypy', '--strict', 'redocly.py', 'client.py'], { cwd: folder });
  const { settings, expected } = await newPartner(service);
  const output = await runCommand(python, ['redocly.py'], { cwd: folder, env: settings });
  expect(JSON.parse(output)).toEqual(expected);
});

/** Installs a generator in a project, and generates a client. */
async function installAndGenerate(
  folder: string,
  { packages, config, command, unchecked }: Generator,
): Promise<void> {
  await runCommand('npm', [...npmInstall.split(' '), ...packages], { cwd: folder });
  if (config !== undefined) await cp(join(configs, config), join(folder, config));
  await generateClient(folder, command, folder);
  if (unchecked === undefined) return;
  const file = join(folder, unchecked);
  await writeFile(file, (await readFile(file, 'utf8')).replace('// @ts-nocheck', ''));
}
