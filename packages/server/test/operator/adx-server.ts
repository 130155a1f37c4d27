import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const typescript = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** Settings of a command, in place of the environment's. */
export type Settings = Readonly<Record<string, string>>;

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `adx-server` as a process of its own. */
export function startAdxServer(parameters: readonly string[], settings: Settings): ChildProcess {
  return spawn(
    process.execPath,
    ['--conditions=adx-source', '--import', typescript, cli, ...parameters],
    { env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings } },
  );
}

/** Runs `adx-server` to its end. */
export async function runAdxServer(
  parameters: readonly string[],
  settings: Settings,
  standardInput = '',
): Promise<CommandResult> {
  const child = startAdxServer(parameters, settings);
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('No pipes');
  // A command that refuses its arguments ends without reading.
  stdin.on('error', () => {});
  stdin.end(standardInput);
  const [output, errors] = await Promise.all([text(stdout), text(stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, stdout: output, stderr: errors };
}
