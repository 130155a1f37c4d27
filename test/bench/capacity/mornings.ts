import { percentile } from '../statistics.js';
import type { Table } from '../table.js';
import { assumed } from './assumptions.js';
import { arriveInTheMorning, simulateWorkers } from './simulate-workers.js';
import { type Costs, readCosts } from './unit-table.js';
import { firmCounts, formatNumber, listMsOf, needsOf, printAloneMsOf, printMsOf } from './work.js';

/** Simulates how long files wait in the morning, with the workers of `needs`, half and a quarter of them. */
export async function simulateMornings(document: string): Promise<Table> {
  const costs = await readCosts(document);
  const rows = firmCounts.flatMap((firms) =>
    workerCountsOf(costs, firms).map((workers) => {
      const { listed, printed } = simulateMorning(costs, firms, workers);
      return [firms, workers, ...[listed, printed].map((waits) => percentile(waits, 95))];
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
  const mornings = counts.map((workers) => simulateMorning(costs, firms, workers));
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
          (at, file) => at <= minute * 60 && at + (printed[file] ?? 0) > minute * 60,
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

function simulateMorning(costs: Costs, firms: number, workers: number) {
  const { inTheMorning, morningSeconds, scanSeconds } = assumed;
  const { accounts, statementsPerFile } = assumed;
  const files = (firms * accounts * inTheMorning) / statementsPerFile;
  const arrivals = arriveInTheMorning(files, morningSeconds);
  const seconds = (ms: number) => (ms * statementsPerFile) / 1_000;
  const waits = simulateWorkers(arrivals, {
    workers,
    listSeconds: seconds(Math.max(0, listMsOf(costs))),
    printSeconds: seconds(printMsOf(costs)),
    // A firm's files are printed one by one, and looked for every two seconds.
    printAloneSeconds: seconds(printAloneMsOf(costs)) + 1,
    scanSeconds,
  });
  return { arrivals, ...waits };
}
