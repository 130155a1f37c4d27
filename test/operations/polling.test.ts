import { expect, it } from 'vitest';
import { pollUnderWrites } from './support/poll-under-writes.js';

it('§4.15, D-26 polling with updatedSince misses nothing while 20 writers change mandates without conflicts', async () => {
  const { conflicts } = await pollUnderWrites(150);
  expect(conflicts).toBe(0);
});
