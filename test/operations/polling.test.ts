import { expect, it } from 'vitest';
import { pollUnderWrites } from './poll-under-writes.js';

it('§4.15, D-26 polling with updatedSince misses nothing while 20 write', async () => {
  const { changes, polls } = await pollUnderWrites(3_000);
  expect(changes).toBeGreaterThan(20);
  expect(polls).toBeGreaterThan(5);
});
