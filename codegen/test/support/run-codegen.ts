import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { lint } from '../../src/libraries/lint.js';
import { renderSchemaTypes } from '../../src/libraries/schema-types.js';
import { runCommand } from '../../src/run-command.js';
import { repository } from './temporary-repository.js';

const program = join(repository, 'codegen/bin/adx-codegen.mjs');

export interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Makes the program work on the repository that it is started in. */
export const here = [
  ...['--spec', 'openapi.yaml'],
  ...['--out', '.'],
  ...['--config', 'codegen/adx.yaml'],
];

/** Runs the command `adx-codegen` of a repository in this process, until it ends. */
export async function runCodegen(folder: string, ...args: readonly string[]): Promise<Outcome> {
  const { ended, output } = start(folder, args, new AbortController().signal);
  const exitCode = await ended;
  return { exitCode, ...output };
}

/** Starts `adx-codegen` in this process. It is interrupted at the end of the test. */
export function startCodegen(folder: string, ...args: readonly string[]) {
  const interrupt = new AbortController();
  onTestFinished(() => interrupt.abort());
  return { ...start(folder, args, interrupt.signal), interrupt: () => interrupt.abort() };
}

function start(folder: string, args: readonly string[], interrupt: AbortSignal) {
  const output = { stdout: '', stderr: '' };
  const ended = runCommand(args, {
    repository: folder,
    folder,
    output: {
      say: (line) => {
        output.stdout += `${line}\n`;
      },
      complain: (line) => {
        output.stderr += `${line}\n`;
      },
    },
    startLibraries: () => ({ renderSchemaTypes, lint, stop: async () => undefined }),
    catchInterrupts: () => interrupt,
  });
  return { output, ended };
}

/** Runs the program `adx-codegen` in its own process, in a folder, until it ends. */
export async function runProgram(folder: string, ...args: readonly string[]): Promise<Outcome> {
  const { ended, output } = startProgram(folder, ...args);
  const exitCode = await ended;
  return { exitCode, ...output };
}

/** Starts the program `adx-codegen` in its own process, which is killed at the end of the test. */
export function startProgram(folder: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { cwd: folder });
  onTestFinished(() => {
    child.kill();
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { output, ended, interrupt: () => child.kill('SIGINT') };
}
