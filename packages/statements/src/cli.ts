#!/usr/bin/env node
import { runCommand } from './command/run-command.js';

// The reader of a pipe, such as `head`, may end before this program.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await runCommand(process.argv.slice(2), {
  input: process.stdin,
  write: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
});
