import { seededRandom } from '../../../packages/server/test/support/seeded-random.js';
import { percentile } from '../statistics.js';
import type { Table } from '../table.js';
import { assumed } from './assumptions.js';
import { arriveInTheMorning, simulateWorkers } from './simulate-workers.js';
import { type Costs, readCosts } from './unit-table.js';
import { filesOfMorning, firmCounts, formatNumber, needsOf, stagesOf } from './work.js';

/** Simulates how long files wait in the morning, with the workers of `needs`, half and a quarter of them. */
export async function simulateMornings(document: string): Promise<Table> {
  const costs = await readCosts(document);
  const rows = firmCounts.flatMap((firms) =>
    workerCountsOf(costs, firms).map((workers) => {
      // Ten mornings of 100 firms, because one of so few depends on chance.
      const mornings = Array.from({ length: Math.max(1, 1_000 / firms) }, (_, seed) =>
        simulateMorning(costs, firms, workers, seed),
      );
      const waits = [
        mornings.flatMap(({ listed }) => listed),
        mornings.flatMap(({ printed }) => printed),
      ];
      return [firms, workers, ...waits.map((each) => percentile(each, 95))];
    }),
  );
  return {
    head: ['firms', 'workers', 'until listed s', 'until printed s'],
    rows: rows.map((row) => row.map(formatNumber)),
  };
}

/** Simulates how many files of 1,000 firms wait for their PDFs during the morning and after it. */
export async function simulateBacklog(document: string): Promise<Table> {
  const costs = await readCosts(document);
  const firms = 1_000;
  const counts = workerCountsOf(costs, firms);
  const mornings = counts.map((workers) => simulateMorning(costs, firms, workers, 0));
  const minutes = Array.from({ length: 16 }, (_, index) => index * 10);
  return {
    head: [
      'minutes',
      ...counts.map((workers) => (workers === 1 ? '1 worker' : `${workers} workers`)),
    ],
    rows: minutes.map((minute) => [
      `${minute}`,
      ...mornings.map(({ arrivals, printed }) => {
        const waits = arrivals.map(
          ({ at }, file) => at <= minute * 60 && at + (printed[file] ?? 0) > minute * 60,
        );
        return `${waits.filter(Boolean).length}`;
      }),
    ]),
  };
}

/** Returns the number of workers that firms need, half and a quarter of it. */
function workerCountsOf(costs: Costs, firms: number): number[] {
  const { workers } = needsOf(costs, firms);
  return [...new Set([workers, workers / 2, workers / 4].map(Math.ceil))];
}

/** Simulates a morning of firms, the same for each number of workers. */
function simulateMorning(costs: Costs, firms: number, workers: number, seed: number) {
  const { morningSeconds, scanSeconds, searchSeconds } = assumed;
  const arrivals = arriveInTheMorning({
    firms,
    filesOfEach: filesOfMorning,
    seconds: morningSeconds,
    random: seededRandom(seed),
  });
  const waits = simulateWorkers(arrivals, {
    ...{ workers, ...stagesOf(costs), scanSeconds, searchSeconds },
  });
  return { arrivals, ...waits };
}
