import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../support/run-command.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { type Generator, generators } from './generators.js';
import { newPartner } from './partner.js';
import { createProject, generateClient, runProgram } from './run-program.js';

const configs = fileURLToPath(new URL('configs', import.meta.url));
const install = 'install --no-save --no-audit --no-fund --ignore-scripts --no-engine-strict';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.close());

test.each(Object.entries(generators))(
  '§1 a client that %s generates compiles strictly, and does what partners do',
  async (name, generator) => {
    const folder = await createProject();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await installAndGenerate(folder, generator);
    const partner = await newPartner(service);
    const output = await runProgram(folder, name, partner, generator.relaxed);
    expect(output).toEqual(partner.expected);
  },
);

/** Installs a generator in a project, and generates a client. */
async function installAndGenerate(
  folder: string,
  { packages, config, command }: Generator,
): Promise<void> {
  await runCommand('npm', [...install.split(' '), ...packages], { cwd: folder });
  if (config !== undefined) await cp(join(configs, config), join(folder, config));
  await generateClient(folder, command, folder);
  if (!(await readdir(folder)).includes('client.ts')) return;
  // swagger-typescript-api turns the compiler's checks off.
  const client = join(folder, 'client.ts');
  await writeFile(client, (await readFile(client, 'utf8')).replace('// @ts-nocheck', ''));
}
