import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawBars } from '../bench/draw-plot.js';
import { readTable } from '../bench/table.js';
import { repository } from '../support/run-command.js';

/** The plots of `docs/benchmarks.md`, by the benchmark. */
const plots: Readonly<Record<string, Parameters<typeof drawBars>[1]>> = {
  'request-path': { columns: ['service/s', 'bare/s', 'prepared/s'], label: 'calls per second' },
  growth: { columns: ['of 1,000', 'of 1,000,000'], label: 'ms' },
  'fair-requests': { columns: ['idle p95 ms', 'flooded p95 ms'], label: 'ms' },
  'read-coda-files': {
    columns: ['times coda-parser'],
    label: 'times as fast as coda-parser',
    goal: 1,
  },
};

test.each(Object.entries(plots))('docs: the plot of %s shows its table', async (name, options) => {
  const document = await readFile(join(repository, 'docs/benchmarks.md'), 'utf8');
  const plot = drawBars(readTable(document, name), options);
  await expect(plot).toMatchFileSnapshot(join(repository, `docs/plots/${name}.svg`));
});
