import { expect, test } from 'vitest';
import { arriveInTheMorning, simulateWorkers } from './simulate-workers.js';

const arrivals = arriveInTheMorning(100, 1_000);
const work = { listSeconds: 5, printSeconds: 15, printAloneSeconds: 15, scanSeconds: 2 };

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
  const all = new Array<number>(2_000).fill(0);
  const last = (workers: number) => simulateWorkers(all, { ...work, workers }).printed.at(-1) ?? 0;
  expect(last(10) / last(20)).toBeCloseTo(2, 1);
});

test('capacity: several workers do not share a file', () => {
  const { listed, printed } = simulateWorkers([0, 0], { ...work, workers: 10 });
  expect(Math.min(...listed)).toBeGreaterThanOrEqual(5);
  expect(Math.min(...printed)).toBeGreaterThanOrEqual(5 + 15);
});

test('capacity: a file of a firm takes its time, although a worker prints those of several firms at once', () => {
  const { listed, printed } = simulateWorkers([0, 1_000], {
    ...{ ...work, workers: 1, printAloneSeconds: 40 },
  });
  for (const [file, wait] of printed.entries()) expect(wait).toBe((listed[file] ?? 0) + 40);
});
