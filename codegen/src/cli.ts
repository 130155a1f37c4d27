import { fileURLToPath } from 'node:url';
import { startLibrariesThread } from './libraries/libraries-thread.js';
import { runCommand } from './run-command.js';

process.exitCode = await runCommand(process.argv.slice(2), {
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
