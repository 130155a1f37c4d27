import { expect, it } from 'vitest';
import { pollUnderWrites } from './poll-under-writes.js';

it('§4.15, D-26 polling with updatedSince misses nothing while 20 write for 30 s', async () => {
  const report = await pollUnderWrites(30_000);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  expect(report.changes).toBeGreaterThan(500);
  expect(report.mandates).toBeGreaterThan(200);
});
