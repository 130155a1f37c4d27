import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { programPath } from '../../../server/test/support/program-path.js';
import { runProgram } from '../../src/program.js';

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly profileFolder?: string;
  readonly isTTY?: boolean;
}

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `adx` within this process, which saves the time that a separate process needs to load. */
export async function runAdx(
  parameters: readonly string[],
  { env = {}, profileFolder = '/nonexistent', isTTY = false }: Surroundings = {},
): Promise<CommandResult> {
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY })];
  const texts = Promise.all([text(stdout), text(stderr)]);
  const stdin = Readable.from([]);
  const exitCode = await runProgram(parameters, { env, stdin, stdout, stderr, profileFolder });
  stdout.end();
  stderr.end();
  const [output, errors] = await texts;
  for (const secret of ['ADX_API_KEY', 'ADX_PASSWORD']) {
    const value = env[secret];
    if (value) expect(output + errors, 'no secret is printed').not.toContain(value);
  }
  return { exitCode, stdout: output, stderr: errors };
}

/** Expects that a command ends with an exit code, and says this on standard error. */
export async function expectFailure(
  running: Promise<CommandResult>,
  exitCode: number,
  said: string,
): Promise<void> {
  expect(await running).toMatchObject({ exitCode, stderr: expect.stringContaining(said) });
}

/** Runs `adx` with `--json` within this process. It must succeed. */
export async function adxJson<Output = unknown>(
  parameters: readonly string[],
  surroundings: Surroundings,
): Promise<Output> {
  const { exitCode, stdout, stderr } = await runAdx([...parameters, '--json'], surroundings);
  if (exitCode !== 0) throw new Error(`Exit code ${exitCode}: ${stderr}${stdout}`);
  return JSON.parse(stdout);
}

export function startAdx(
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): ChildProcess {
  return spawn(process.execPath, [...nodeOptions, programPath('adx'), ...parameters], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs `adx` as a process until it ends. */
export async function spawnAdx(
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<CommandResult> {
  const child = startAdx(parameters, env, nodeOptions);
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('No pipes');
  const [output, errors] = await Promise.all([text(stdout), text(stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, stdout: output, stderr: errors };
}
