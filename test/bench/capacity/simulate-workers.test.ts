import { expect, test } from 'vitest';
import { seededRandom } from '../../../packages/server/test/support/seeded-random.js';
import { percentile } from '../statistics.js';
import { assumed } from './assumptions.js';
import { type Arrival, arriveInTheMorning, simulateWorkers } from './simulate-workers.js';

const work = {
  listing: { busySeconds: 5, aloneSeconds: 6, filesAtOnce: 8, firmsAtOnce: 4 },
  printing: { busySeconds: 10, aloneSeconds: 20, filesAtOnce: 1, firmsAtOnce: 4 },
  scanSeconds: 2,
  searchSeconds: 3,
};

/** One file of each firm, all at the beginning. */
const atOnce = (firms: number) => Array.from({ length: firms }, (_, firm) => ({ firm, at: 0 }));
const end = (arrivals: readonly Arrival[], waits: readonly number[]) =>
  Math.max(...waits.map((wait, file) => wait + (arrivals[file]?.at ?? 0)));

test('capacity: three quarters of the firms upload in the first half of the morning, each all of its files', () => {
  const random = seededRandom(1);
  const arrivals = arriveInTheMorning({ firms: 1_000, filesOfEach: 7, seconds: 1_000, random });
  expect(arrivals).toHaveLength(7_000);
  expect(arrivals.at(-1)?.at).toBeLessThan(1_000);
  const early = arrivals.filter(({ at }) => at < 500);
  expect(early.length / arrivals.length).toBeCloseTo(0.75, 1);
  // The peak, on which the needs are based.
  const first = arrivals.filter(({ at }) => at < 20);
  expect(first.length / arrivals.length / (20 / 1_000)).toBeCloseTo(assumed.peak, 0);
  expect(new Set(arrivals.map(({ firm, at }) => `${firm} ${at}`)).size).toBe(1_000);
});

test('capacity: a file waits for the scan, is listed, waits for the search, and is printed', () => {
  const arrivals = [{ firm: 0, at: 0.5 }];
  const { listed, printed } = simulateWorkers(arrivals, { ...work, workers: 1 });
  // It is found at 2 s, listed at 8 s, found again at 9 s and printed at 29 s.
  expect(listed[0]).toBeCloseTo(8 - 0.5, 0);
  expect(printed[0]).toBeCloseTo(29 - 0.5, 0);
});

test('capacity: a process lists several files of a firm together with one core, and prints one after the other', () => {
  const arrivals = new Array<Arrival>(10).fill({ firm: 0, at: 0 });
  const { listed, printed } = simulateWorkers(arrivals, { ...work, workers: 10 });
  for (const [file, wait] of listed.entries()) expect(wait).toBeCloseTo(file < 8 ? 40 : 50, 0);
  // The search after 40 s is at 42 s.
  for (const [file, wait] of printed.entries()) expect(wait).toBeCloseTo(42 + (file + 1) * 20, 0);
});

test('capacity: a worker prints files of four firms at once, and firms take turns if there are more', () => {
  const listing = { ...work.listing, busySeconds: 0 };
  const printing = { ...work.printing, busySeconds: 0 };
  const last = (firms: number) =>
    Math.max(...simulateWorkers(atOnce(firms), { ...work, workers: 1, listing, printing }).printed);
  // The searches after 6 and 12 s are at 6 and 12 s.
  expect(last(4)).toBeCloseTo(6 + 20, 0);
  expect(last(8)).toBeCloseTo(12 + 40, 0);
});

test('capacity: with too few workers files are listed before they are printed, and all work is done', () => {
  const random = seededRandom(2);
  const arrivals = arriveInTheMorning({ firms: 100, filesOfEach: 2, seconds: 1_000, random });
  const { listed, printed } = simulateWorkers(arrivals, { ...work, workers: 1 });
  expect(percentile(printed, 50)).toBeGreaterThan(2 * percentile(listed, 50));
  // A core is busy with each file for 5 + 10 s.
  expect(end(arrivals, printed) / (200 * 15)).toBeCloseTo(1, 1);
});

test('capacity: twice as many workers print twice as fast', () => {
  const last = (workers: number) =>
    Math.max(...simulateWorkers(atOnce(400), { ...work, workers }).printed);
  expect(last(10) / last(20)).toBeCloseTo(2, 1);
});
