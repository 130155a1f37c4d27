import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { programPath } from '../support/program-path.js';

export type Settings = Readonly<Record<string, string>>;

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function startAdxServer(parameters: readonly string[], settings: Settings): ChildProcess {
  return spawn(process.execPath, [programPath('adx-server'), ...parameters], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
  });
}

export async function runAdxServer(
  parameters: readonly string[],
  settings: Settings,
  standardInput = '',
): Promise<CommandResult> {
  const child = startAdxServer(parameters, settings);
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('No pipes');
  // A command that refuses its arguments ends without reading standard input.
  stdin.on('error', () => {});
  stdin.end(standardInput);
  const [output, errors] = await Promise.all([text(stdout), text(stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, stdout: output, stderr: errors };
}
