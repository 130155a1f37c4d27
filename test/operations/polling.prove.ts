import { expect, it } from 'vitest';
import { printResult } from '../proofs/print-result.js';
import { pollUnderWrites } from './support/poll-under-writes.js';

it('§4.15, D-26 polling with updatedSince misses nothing while 20 writers change mandates without conflicts', async () => {
  const report = await pollUnderWrites(2_000);
  printResult(report);
  expect(report.mandates).toBeGreaterThan(200);
  expect(report.conflicts).toBe(0);
});
