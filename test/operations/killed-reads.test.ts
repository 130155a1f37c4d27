// @module-tag long
import { expect, it } from 'vitest';
import { killDuringReads } from './support/kill-during-reads.js';

it('D-58 a service that is killed loses the entries of the last second of reads at most, and one that is stopped loses none', async () => {
  const { reads, lost } = await killDuringReads(1, 10);
  expect(reads).toBeGreaterThan(lost);
});
