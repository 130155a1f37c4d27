import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calculateNeeds, simulateMornings } from '../bench/capacity.js';
import { drawBars, drawLines } from '../bench/draw-plot.js';
import { arriveInTheMorning, simulateWorkers } from '../bench/morning.js';
import { readTable, type Table } from '../bench/table.js';
import { repository } from '../support/run-command.js';

const benchmarks = await readFile(join(repository, 'docs/benchmarks.md'), 'utf8');
const capacityFile = join(repository, 'docs/capacity.md');
const capacity = await readFile(capacityFile, 'utf8');

const cores = ['cores, workers', 'cores, database', 'cores, service'];
const data = ['storage GiB a year', 'WAL GiB a year', 'database GiB a year'];

/** Draws each plot from the table of a document. */
const plots: Readonly<Record<string, () => string>> = {
  'request-path': () =>
    drawBars(readTable(benchmarks, 'request-path'), {
      ...{ columns: ['service/s', 'bare/s', 'prepared/s'], label: 'calls per second' },
    }),
  growth: () =>
    drawBars(readTable(benchmarks, 'growth'), {
      ...{ columns: ['of 1,000', 'of 1,000,000'], label: 'ms' },
    }),
  'fair-requests': () =>
    drawBars(readTable(benchmarks, 'fair-requests'), {
      ...{ columns: ['idle p95 ms', 'flooded p95 ms'], label: 'ms' },
    }),
  'read-coda-files': () =>
    drawBars(readTable(benchmarks, 'read-coda-files'), {
      ...{ columns: ['times coda-parser'], label: 'times as fast as coda-parser', goal: 1 },
    }),
  needs: () =>
    drawLines(readTable(capacity, 'needs'), {
      columns: cores,
      label: 'cores',
      isLogarithmic: true,
    }),
  'growth-of-data': () =>
    drawLines(readTable(capacity, 'needs'), { columns: data, label: 'GiB', isLogarithmic: true }),
};

test.each(Object.entries(plots))(
  'docs: the plot %s shows the table of its page',
  async (name, draw) => {
    await expect(draw()).toMatchFileSnapshot(join(repository, `docs/plots/${name}.svg`));
  },
);

test.each<[string, (document: string) => Promise<Table>]>([
  ['needs', calculateNeeds],
  ['mornings', simulateMornings],
])('docs: the table of %s follows from the costs on the page', async (name, calculate) => {
  expect(readTable(capacity, name)).toEqual(await calculate(capacityFile));
});

test('capacity: with enough workers no file waits, and with too few the last one waits longest', () => {
  const arrivals = arriveInTheMorning(100, 1_000);
  expect(arrivals.at(-1)?.at).toBeLessThan(1_000);
  // Three quarters arrive in the first half.
  expect(arrivals.filter(({ at }) => at < 500)).toHaveLength(75);
  expect(new Set(simulateWorkers(arrivals, 100, 5))).toEqual(new Set([5]));
  const late = simulateWorkers(arrivals, 1, 20);
  expect(late.at(-1)).toBe(Math.max(...late));
  expect((arrivals.at(-1)?.at ?? 0) + (late.at(-1) ?? 0)).toBeCloseTo(
    2_000 + (arrivals[0]?.at ?? 0),
  );
});
