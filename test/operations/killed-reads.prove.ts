import { expect, it } from 'vitest';
import { printResult } from '../proofs/print-result.js';
import { killDuringReads } from './support/kill-during-reads.js';

it('D-58 a service that is killed 50 times loses the entries of the last second of reads at most', async () => {
  const report = await killDuringReads(50);
  printResult(report);
  // Otherwise no kill came before the entries of some reads were stored.
  expect(report.lost).toBeGreaterThan(0);
});
