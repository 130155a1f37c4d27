import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { specYaml } from '@adx/contract/spec';
import { onTestFinished } from 'vitest';
import { repository, runCommand } from '../support/run-command.js';
import type { Partner, ProgramOutput } from './partner.js';

const { resolve } = createRequire(import.meta.url);
const compiler = join(resolve('typescript-7/package.json'), '../bin/tsc');
const nodeTypes = join(resolve('@types/node/package.json'), '../..');
const allChecks = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  module: 'NodeNext',
  types: ['node'],
  typeRoots: [nodeTypes],
};

/** The folder of the programs. */
export const programs = fileURLToPath(new URL('programs', import.meta.url));

/**
 * Creates the project of a partner: a folder with the spec, which is removed when the test has
 * finished.
 */
export async function createProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-generated-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'openapi.yaml'), specYaml);
  return folder;
}

/**
 * Generates a client in a project.
 *
 * @param command - the command of a generator
 * @param installed - the folder with the `node_modules` of the generator
 */
export async function generateClient(
  folder: string,
  command: string,
  installed = repository,
): Promise<void> {
  const [program = '', ...parameters] = command.split(' ');
  await runCommand(join(installed, 'node_modules/.bin', program), parameters, {
    cwd: folder,
    env: { DO_NOT_TRACK: '1' },
  });
}

/**
 * Compiles a program of `programs/` with the generated client of a project, with all checks, and
 * runs it.
 *
 * @param relaxed - options of the compiler in place of the strictest
 * @throws Error with the output of the compiler or of the program, if it fails
 */
export async function runProgram(
  folder: string,
  name: string,
  { settings }: Partner,
  relaxed: Readonly<Record<string, boolean>> = {},
): Promise<ProgramOutput> {
  for (const file of [`${name}.ts`, 'results.ts'])
    await cp(join(programs, file), join(folder, file));
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...allChecks, ...relaxed }, files: [`${name}.ts`] }),
  );
  await runCommand(process.execPath, [compiler, '--project', folder, '--pretty', 'false']);
  return JSON.parse(
    await runCommand(process.execPath, [`${name}.js`], { cwd: folder, env: settings }),
  );
}
