import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Settings } from './settings-file.js';

/** An `adx-server` command that runs as a process of its own. */
export interface ServerProcess {
  /** Rejects when the process ends before it was asked to. */
  readonly failed: Promise<never>;
  /** Asks it to stop, and waits for requests and jobs that are under way. */
  stop(): Promise<void>;
}

/**
 * Starts an `adx-server` command, whose output goes to a log file.
 *
 * @param until - resolves once the output has this
 * @throws Error with the last line of its output where it ends before
 */
export async function startServerProcess(
  command: string,
  settings: Settings,
  logFile: string,
  until: RegExp,
): Promise<ServerProcess> {
  const child = fork(fileURLToPath(import.meta.resolve('#service-process')), [command], {
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
    const reason = output
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^error: /, '');
    throw new Error(
      reason || `adx-server ${command} has ended (${child.signalCode ?? child.exitCode})`,
    );
  });
  failed.catch(() => {});
  await Promise.race([ready, failed]);
  return { failed, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'close');
}
