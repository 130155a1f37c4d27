import { expect, test } from 'vitest';
import { collectGarbage } from '../../../../test/support/collect-garbage.js';
import { checkMutations } from './read/check-mutations.js';
import { checkRoundTrips } from './round-trip-property.js';

/** Returns the memory in use after garbage collection, in MiB. */
function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

test('CODA records 0 to 9: 100,000 randomly changed files leak no memory', async () => {
  await checkMutations(0, 5000);
  const before = heapUsed();
  await checkMutations(5000, 100_000);
  expect(heapUsed() - before).toBeLessThan(16);
});

test.each([
  ['utf-8', 3000],
  ['windows-1252', 500],
  ['iso-8859-15', 500],
  ['cp850', 500],
] as const)(
  'CODA records 0 to 9 in %s: thousands of written files are read back',
  (encoding, runs) => checkRoundTrips(encoding, runs),
);
