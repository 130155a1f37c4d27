import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ProgramOutput } from './partner.js';

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const compiler = join(resolve('typescript-7/package.json'), '../bin/tsc');
const nodeTypes = join(resolve('@types/node/package.json'), '../..');

/** The spec, as a partner gets it. */
export const specPath = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));

/**
 * Compiles a program of `programs/` with a generated client, with all checks, and runs it.
 *
 * @param folder - the folder of the client, which gets the program too
 * @param settings - environment variables of the program
 * @throws Error with the output of the compiler or of the program, if it fails
 */
export async function runProgram(
  folder: string,
  program: string,
  settings: Readonly<Record<string, string>>,
): Promise<ProgramOutput> {
  await cp(fileURLToPath(new URL(`programs/${program}`, import.meta.url)), join(folder, program));
  const compilerOptions = {
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
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: [program] }),
  );
  await command(folder, settings, compiler, '--project', folder, '--pretty', 'false');
  return JSON.parse(await command(folder, settings, program.replace(/\.ts$/, '.js')));
}

/** Runs a program of Node, and returns its output. */
export async function command(
  cwd: string,
  settings: Readonly<Record<string, string>>,
  ...parameters: string[]
): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings };
  try {
    const { stdout } = await run(process.execPath, parameters, { cwd, env });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${parameters.join(' ')} failed:\n${stdout}${stderr}`);
  }
}
