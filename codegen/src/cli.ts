import { fileURLToPath } from 'node:url';
import { isMainThread, Worker } from 'node:worker_threads';
import { startLibrariesThread } from './libraries/libraries-thread.js';
import { runCommand } from './run-command.js';

let outputFailure = 0;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe, such as `head`, has ended: 128 + SIGPIPE, as of other programs. All files
  // are still written.
  const isClosed = error.code === 'EPIPE';
  if (!isClosed) process.stderr.write(`error: The output cannot be written (${error.code}).\n`);
  outputFailure = isClosed ? 141 : 1;
  process.exitCode ||= outputFailure;
});
// There is nowhere to report it.
process.stderr.on('error', () => {});

const args = process.argv.slice(2);
const isDiff = args[0] === 'diff' || args.includes('--diff');
process.exitCode = (await (isDiff && isMainThread ? runInThread() : run())) || outputFailure;

/**
 * Runs this program in a thread, whose failures can be told from a major change: also that it runs
 * out of memory, of which a process dies.
 */
function runInThread(): Promise<number> {
  const thread = new Worker(new URL(import.meta.url), { argv: args });
  return new Promise((resolve) => {
    thread.once('error', ({ message }) => {
      process.stderr.write(`adx-codegen failed, so nothing was compared: ${message}\n`);
      resolve(2);
    });
    thread.once('exit', resolve);
  });
}

function run(): Promise<number> {
  return runCommand(args, {
    // This file is bundled as codegen/dist/cli.js.
    repository: fileURLToPath(new URL('../../', import.meta.url)),
    folder: process.cwd(),
    output: {
      say: (line) => process.stdout.write(`${line}\n`),
      complain: (line) => process.stderr.write(`${line}\n`),
    },
    startLibraries: () => startLibrariesThread(new URL('./libraries-worker.js', import.meta.url)),
    catchInterrupts: () => {
      const interrupt = new AbortController();
      process.once('SIGINT', () => interrupt.abort());
      process.once('SIGTERM', () => interrupt.abort());
      return interrupt.signal;
    },
  });
}
