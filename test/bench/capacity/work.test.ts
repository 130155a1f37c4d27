import { expect, test } from 'vitest';
import type { Costs } from './unit-table.js';
import { gibibytesPerYear, needsOf, stagesOf } from './work.js';

/** Costs of a statement alone. Its PDF takes eight requests of 20 ms, which a worker makes for eight files at once. */
const costs: Costs = (unit, resource) => {
  if (unit === 'pdf') return { 'storage requests': 8, 'worker CPU ms': 4 }[resource as string] ?? 0;
  if (unit === 'idle') return resource === 'database CPU ms' ? 50 : 0;
  if (unit !== 'statement') return 0;
  return {
    'service CPU ms': 0,
    'worker CPU ms': 10,
    'database CPU ms': 4,
    'rows written': 9,
    'audit entries': 2,
    'WAL KiB': 40,
    'database KiB': 2,
    'storage KiB': 25,
    'storage requests': 5,
  }[resource];
};

test('capacity: what 1,000 firms need follows from what a statement costs', () => {
  // 1,000 firms have 500,000 statements, 70 % of them in 7,200 s, twice the average at the peak.
  const perSecond = (500_000 * 0.7 * 2) / 7_200;
  expect(perSecond).toBeCloseTo(97.2, 1);
  expect(needsOf(costs, 1_000)).toEqual({
    services: 2,
    // A core works 10 ms for each, but its PDF takes 164 ms, and there are eight at once. In half of the time.
    workers: 4,
    databaseCores: expect.closeTo((perSecond * 4 + 4 * 50) / 500, 6),
    // 10 of each service, 24 of each worker.
    connections: 116,
    memoryGibibytes: expect.closeTo((6 * 512 + 116 * 10) / 1024, 6),
    // Five to list and print it, and two downloads.
    storageRequestsPerSecond: expect.closeTo(perSecond * 7, 6),
    walMebibytesPerSecond: expect.closeTo((perSecond * 40) / 1024, 6),
    auditEntriesPerSecond: expect.closeTo(perSecond * 2, 6),
    uploadsPerSecond: expect.closeTo(perSecond / 50, 6),
  });
});

test('capacity: a file alone takes the CPU time of its PDFs, and waits for eight of them at once', () => {
  expect(stagesOf(costs).printing).toMatchObject({
    busySeconds: expect.closeTo(50 * 0.004, 6),
    aloneSeconds: expect.closeTo(50 * (0.004 + (8 * 0.02) / 8), 6),
  });
});

test('capacity: what accumulates in a year is that of 250 days', () => {
  expect(gibibytesPerYear(costs, 'database KiB', 1_000)).toBeCloseTo(
    (1_000 * 500 * 250 * 2) / 2 ** 20,
    6,
  );
});
