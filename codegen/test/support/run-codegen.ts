import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { repository } from './temporary-repository.js';

const program = join(repository, 'codegen/bin/adx-codegen.mjs');

export interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `adx-codegen` in a folder until it ends. */
export async function runCodegen(folder: string, ...args: readonly string[]): Promise<Outcome> {
  const { ended, output } = startCodegen(folder, ...args);
  const exitCode = await ended;
  return { exitCode, ...output };
}

/** Starts `adx-codegen` in a folder; it is stopped when the test ends. */
export function startCodegen(folder: string, ...args: readonly string[]) {
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
