import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { type StartOptions, withStartOptions } from '../../packages/sandbox/src/start-options.js';
import { develop } from './develop.js';
import { createScreen } from './screen.js';

// `npm run dev`: see docs/guides/editing-the-spec.md.

const options = withStartOptions(new Command('npm run dev --'))
  .description('generate, type-check and restart the sandbox on every save, until Ctrl+C')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<StartOptions>();

const interrupt = new AbortController();
// A second Ctrl+C would leave PostgreSQL running.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupt.abort());
}
// After its terminal has been closed, nobody reads the output. The sandbox must still be stopped.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

await develop(
  {
    root: fileURLToPath(new URL('../../', import.meta.url)),
    dataDir: options.data,
    parameters: process.argv.slice(2),
    screen: createScreen(process.stdout),
  },
  interrupt.signal,
);
