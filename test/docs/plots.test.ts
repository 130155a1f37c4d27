import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { arriveInTheMorning, simulateWorkers } from '../bench/capacity/morning.js';
import { calculateData, calculateNeeds, simulateMornings } from '../bench/capacity/needs.js';
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
};

test.each(Object.entries(plots))(
  'docs: the plot %s shows the table of its page',
  async (name, draw) => {
    await expect(draw()).toMatchFileSnapshot(join(repository, `docs/plots/${name}.svg`));
  },
);

test('docs: a plot of a column that the table does not have is refused', () => {
  const table = { head: ['', 'ms'], rows: [['a', '1']] };
  expect(() => drawBars(table, { columns: ['s'], label: 's' })).toThrow('no column s');
});

test.each<[string, (document: string) => Promise<Table>]>([
  ['needs', calculateNeeds],
  ['data', calculateData],
  ['mornings', simulateMornings],
])('docs: the table of %s follows from the costs on the page', async (name, calculate) => {
  expect(readTable(capacity, name)).toEqual(await calculate(capacityFile));
});

const arrivals = arriveInTheMorning(100, 1_000);
const work = { listSeconds: 5, printSeconds: 15, scanSeconds: 2 };

test('capacity: three quarters of the files arrive in the first half of the morning', () => {
  expect(arrivals.at(-1)).toBeLessThan(1_000);
  expect(arrivals.filter((at) => at < 500)).toHaveLength(75);
});

test('capacity: with enough workers a file waits for the next scan, and is listed and printed at once', () => {
  const { listed, printed } = simulateWorkers(arrivals, { ...work, workers: 100 });
  expect(Math.min(...listed)).toBeGreaterThanOrEqual(5);
  expect(Math.max(...listed)).toBeLessThanOrEqual(5 + 2 + 0.5);
  expect(Math.max(...printed)).toBeLessThanOrEqual(20 + 2 + 1);
});

test('capacity: with too few workers files are listed before they are printed, and all work is done', () => {
  const { listed, printed } = simulateWorkers(arrivals, { ...work, workers: 1 });
  const end = (waits: readonly number[]) => (arrivals.at(-1) ?? 0) + (waits.at(-1) ?? 0);
  expect(Math.max(...printed)).toBeGreaterThan(4 * Math.max(...listed));
  // The worker lists for half of its time as long as it also has files to print.
  expect(end(listed)).toBeCloseTo(2 * 100 * 5, -2);
  expect(end(printed)).toBeCloseTo(100 * (5 + 15), -2);
});

test('capacity: twice as many workers print twice as fast', () => {
  const all = new Array<number>(100).fill(0);
  const last = (workers: number) => simulateWorkers(all, { ...work, workers }).printed.at(-1) ?? 0;
  expect(last(10) / last(20)).toBeCloseTo(2, 0);
});

test('capacity: several workers do not share a file', () => {
  const { listed, printed } = simulateWorkers([0, 0], { ...work, workers: 10 });
  expect(Math.min(...listed)).toBeGreaterThanOrEqual(5);
  expect(Math.min(...printed)).toBeGreaterThanOrEqual(5 + 15);
});
