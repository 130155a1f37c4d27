import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { simulateBacklog, simulateMornings } from '../bench/capacity/mornings.js';
import { calculateData, calculateLimits, calculateNeeds } from '../bench/capacity/needs.js';
import { drawBars, drawLines } from '../bench/draw-plot.js';
import { readTable, type Table } from '../bench/table.js';
import { repository } from '../support/run-command.js';

const benchmarks = await readFile(join(repository, 'docs/benchmarks.md'), 'utf8');
const capacityFile = join(repository, 'docs/capacity.md');
const capacity = await readFile(capacityFile, 'utf8');

function drawBenchmark(name: string, label: string, columns?: readonly string[]): string {
  const table = readTable(benchmarks, name);
  // The number of customers is in the names of these columns of `growth`.
  return drawBars(table, { columns: columns ?? table.head.slice(1, 3), label });
}

/** Draws each plot from the table of a document. */
const plots: Readonly<Record<string, () => string>> = {
  'request-path': () =>
    drawBenchmark('request-path', 'calls per second', ['service/s', 'bare/s', 'prepared/s']),
  growth: () => drawBenchmark('growth', 'ms'),
  'fair-requests': () => drawBenchmark('fair-requests', 'ms', ['idle p95 ms', 'flooded p95 ms']),
  'read-coda-files': () =>
    drawBars(readTable(benchmarks, 'read-coda-files'), {
      ...{ columns: ['times coda-parser'], label: 'times as fast as coda-parser', goal: 1 },
    }),
  needs: () =>
    drawLines(readTable(capacity, 'needs'), {
      columns: ['workers', 'database cores', 'services'],
      label: 'processes and cores',
    }),
  data: () =>
    drawLines(readTable(capacity, 'data'), {
      columns: ['storage GiB a year', 'WAL GiB a year', 'database GiB a year'],
      label: 'GiB',
    }),
  backlog() {
    const table = readTable(capacity, 'backlog');
    return drawLines(table, { columns: table.head.slice(1), label: 'files', scale: 'linear' });
  },
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

test.each<[string, (document: string) => Promise<Table>]>([
  ['needs', calculateNeeds],
  ['data', calculateData],
  ['limits', calculateLimits],
  ['mornings', simulateMornings],
  ['backlog', simulateBacklog],
])('docs: the table of %s follows from the costs on the page', async (name, calculate) => {
  expect(readTable(capacity, name)).toEqual(await calculate(capacityFile));
});
