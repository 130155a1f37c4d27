import { expect, it } from 'vitest';
import { pollUnderWrites } from './support/poll-under-writes.js';

it('§4.15, D-26 polling with updatedSince misses nothing while 20 write, of whom none loses against another', async () => {
  const { lost } = await pollUnderWrites(150);
  expect(lost).toBe(0);
});
