#!/usr/bin/env node
import envPaths from 'env-paths';
import { runProgram } from './program.js';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe, such as `head`, has ended: 128 + SIGPIPE, as of other programs.
  process.exit(error.code === 'EPIPE' ? 141 : 1);
});
// There is nowhere to report it.
process.stderr.on('error', () => {});

const { env, stdin, stdout, stderr } = process;
const profileFolder = envPaths('adx', { suffix: '' }).config;
process.exitCode = await runProgram(process.argv.slice(2), {
  env,
  stdin,
  stdout,
  stderr,
  profileFolder,
});
