import { expect, it } from 'vitest';
import { killDuringReads } from './support/kill-during-reads.js';

it('D-58 a service that is killed 50 times loses the entries of the last second of reads at most', async () => {
  const report = await killDuringReads(50);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  // Otherwise no kill came before the entries of some reads were stored.
  expect(report.lost).toBeGreaterThan(0);
});
