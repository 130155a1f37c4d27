import { fileURLToPath } from 'node:url';
import { develop } from './develop.js';
import { createScreen } from './screen.js';

// `npm run dev`: see docs/guides/editing-the-spec.md.

const interrupt = new AbortController();
// A second Ctrl+C would leave PostgreSQL running.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupt.abort());
}
// After its terminal has been closed, nobody reads the output. The sandbox must still be stopped.
process.stdout.on('error', () => {});

await develop(
  {
    root: fileURLToPath(new URL('../../../../', import.meta.url)),
    parameters: process.argv.slice(2),
    screen: createScreen(process.stdout),
  },
  interrupt.signal,
);
