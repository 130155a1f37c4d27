import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Settings } from './settings-file.js';

export interface ServerProcess {
  /** Rejects when the process ends, also after `stop`. */
  readonly failed: Promise<never>;
  /** Stops the process after the requests and jobs that are in progress. */
  stop(): Promise<void>;
}

/**
 * Starts an `adx-server` command that writes its output to a log file.
 *
 * @param until - matches the output once the command is ready
 * @throws Error with the last line of its output if it ends before that
 */
export async function startAdxServer(
  command: string,
  settings: Settings,
  logFile: string,
  until: RegExp,
): Promise<ServerProcess> {
  const child = fork(fileURLToPath(import.meta.resolve('#run-adx-server')), [command], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    // Ctrl+C in a terminal is for the sandbox to handle.
    detached: true,
    silent: true,
  });
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 });
  let output = '';
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.pipe(log, { end: false });
      stream?.on('data', (chunk: Buffer) => {
        output = (output + chunk).slice(-2000);
        if (until.test(output)) resolve();
      });
    }
  });
  const failed = once(child, 'close').then(() => {
    const end = child.signalCode ?? child.exitCode;
    throw new Error(`adx-server ${command} has ended (${end}): see ${logFile}`);
  });
  await Promise.race([ready, failed]).catch((error) => {
    const reason = reasonIn(output);
    throw reason === undefined ? error : new Error(reason);
  });
  return { failed, stop: () => stop(child) };
}

/** Returns why a program has ended: the error that it printed last, else its last line. */
export function reasonIn(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const error = lines.findLast((line) => /^(error|\w*Error( \[\w+\])?): /.test(line));
  return (error ?? lines.at(-1))?.replace(/^(error|Error): /, '');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'close');
}
