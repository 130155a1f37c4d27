import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Settings } from './settings-file.js';

/**
 * @param until - matches the output once the command is ready
 * @throws Error with the last line of its output if it ends before that
 */
export async function startAdxServer(
  command: string,
  settings: Settings,
  logFile: string,
  until: RegExp,
) {
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
  /** Rejects when the process ends, also after `stop`. */
  const failed = once(child, 'close').then((): never => {
    const end = child.signalCode ?? child.exitCode;
    throw new Error(`adx-server ${command} has ended (${end}): see ${logFile}`);
  });
  await Promise.race([ready, failed]).catch((error) => {
    const reason = reasonIn(output);
    throw reason === undefined ? error : new Error(reason);
  });
  return {
    failed,
    /** Stops the process after the requests and jobs that are in progress. */
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

/** Returns why a program has ended: the error that it printed last, else its last line. */
export function reasonIn(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const error = lines.findLast((line) => /^(error|\w*Error( \[\w+\])?): /.test(line));
  return (error ?? lines.at(-1))?.replace(/^(error|Error): /, '');
}
