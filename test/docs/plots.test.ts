import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { capacityOf, fullAt, fullFirst, measuredOn } from '../bench/costs/capacity.js';
import { drawBars } from '../bench/draw-plot.js';
import { readTable } from '../bench/table.js';
import { repository } from '../support/run-command.js';

const benchmarks = await readFile(join(repository, 'docs/benchmarks.md'), 'utf8');
const capacity = await readFile(join(repository, 'docs/capacity.md'), 'utf8');

function drawBenchmark(name: string, label: string, columns?: readonly string[]): string {
  const table = readTable(benchmarks, name);
  // The number of customers is in the names of these columns of `growth`.
  return drawBars(table, { columns: columns ?? table.head.slice(1, 3), label });
}

/** Draws each plot from the table of a document. */
const plots: Readonly<Record<string, () => string>> = {
  'request-path': () =>
    drawBars(readTable(benchmarks, 'request-path'), {
      columns: ['calls to fastify', 'CPU to fastify', 'CPU to usual'],
      ...{ label: 'times those of the other server', goal: 1 },
    }),
  growth: () => drawBenchmark('growth', 'ms'),
  'fair-requests': () => drawBenchmark('fair-requests', 'ms', ['idle p95 ms', 'flooded p95 ms']),
  capacity: () =>
    drawBars(fullFirst(capacityOf(measuredOn(capacity))), {
      ...{ columns: [fullAt], label: fullAt, goal: 10 },
    }),
  'read-coda-files': () =>
    drawBars(readTable(benchmarks, 'read-coda-files'), {
      ...{ columns: ['times coda-parser'], label: 'times as fast as coda-parser', goal: 1 },
    }),
};

test.each(Object.entries(plots))(
  'docs: the plot %s shows the table of its page',
  async (name, draw) => {
    await expect(draw()).toMatchFileSnapshot(join(repository, `docs/plots/${name}.svg`));
  },
);

test('docs: each image in docs/plots is drawn here, and shown on a page', async () => {
  const images = await readdir(join(repository, 'docs/plots'));
  expect(images.sort()).toEqual(
    Object.keys(plots)
      .map((name) => `${name}.svg`)
      .sort(),
  );
  for (const image of images) expect(benchmarks + capacity).toContain(`](plots/${image})`);
});

test('docs: a plot of a column that the table does not have is refused', () => {
  const table = { head: ['', 'ms'], rows: [['a', '1']] };
  expect(() => drawBars(table, { columns: ['s'], label: 's' })).toThrow('no column s');
});
