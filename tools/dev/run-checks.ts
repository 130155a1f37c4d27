import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { State } from './screen.js';

/** The result of a check. It has mistakes unless the check has passed. */
export interface Checked {
  readonly mistakes: readonly string[];
  /** The last line of the output. */
  readonly summary: string;
}

/** Generates the files from the spec, as `npm run generate` does. */
export async function generate(root: string, signal: AbortSignal): Promise<Checked> {
  return run(root, ['codegen/bin/adx-codegen.mjs'], signal);
}

/** Runs the compiler, as `npm run typecheck` does, over what has changed. */
export async function checkTypes(root: string, signal: AbortSignal): Promise<Checked> {
  const options = ['--noEmit', '--pretty', 'false'];
  const compile = (...parameters: string[]) =>
    run(root, ['node_modules/typescript-7/bin/tsc', ...options, ...parameters], signal);
  const buildInfo = [
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.adx-dev/types.tsbuildinfo',
  ];
  const results = await Promise.all([
    // Somebody waits for it. A second checker uses another core, for a sixth more CPU time.
    compile('--checkers', '2', ...buildInfo),
    compile('--singleThreaded', '-p', 'packages/client/tsconfig.build.json'),
  ]);
  return { mistakes: [...new Set(results.flatMap(({ mistakes }) => mistakes))], summary: 'ok' };
}

export async function buildSandbox(root: string, signal: AbortSignal): Promise<Checked> {
  return run(join(root, 'packages/sandbox'), ['build.mjs'], signal);
}

export function stateOf({ mistakes, summary }: Checked): State {
  const { length } = mistakes;
  return {
    text: length === 0 ? summary : length === 1 ? '1 mistake' : `${length} mistakes`,
    mistakes,
  };
}

async function run(
  cwd: string,
  parameters: readonly string[],
  signal: AbortSignal,
): Promise<Checked> {
  // It has a process group of its own, because on Node 20 the compiler is a child of its program.
  const child = spawn(process.execPath, parameters, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  signal.addEventListener('abort', stop);
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  signal.removeEventListener('abort', stop);
  const lines = stdout.trim().split('\n');
  if (child.exitCode === 0) return { mistakes: [], summary: lines.at(-1) ?? '' };
  return { mistakes: mistakesIn(`${stderr}${stdout}`), summary: '' };
}

/** Returns mistakes. Indented lines are explanations, and the last line of codegen counts them. */
export function mistakesIn(output: string): string[] {
  const mistakes = output
    .split('\n')
    .filter((line) => /^\S/.test(line) && !/^\d+ findings?, /.test(line))
    .map((line) => line.replace(/^([^\s(]+)\((\d+),(\d+)\): error TS\d+:/, '$1:$2:$3'));
  return mistakes.length > 0 ? mistakes : ['The check has failed without a message.'];
}
