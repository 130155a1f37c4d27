#!/usr/bin/env node
import { constants } from 'node:os';
import { runCommand } from './command/run-command.js';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe, such as `head`, has ended: 128 + SIGPIPE, as of other programs.
  if (error.code === 'EPIPE') process.exit(141);
  process.stderr.write(`error: standard output cannot be written: ${error.message}\n`);
  process.exit(2);
});

// There is nowhere to report it.
process.stderr.on('error', () => {});

// An exit, unlike the end by a signal, removes the unfinished file.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

/** Waits until a text is written, so that a slow reader does not fill the memory. */
const writeTo = (stream: NodeJS.WriteStream) => (text: string) =>
  new Promise<void>((resolve) => {
    stream.write(text, () => resolve());
  });

process.exitCode = await runCommand(process.argv.slice(2), {
  input: process.stdin,
  write: writeTo(process.stdout),
  warn: writeTo(process.stderr),
});
