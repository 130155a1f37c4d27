import { expect, it } from 'vitest';
import { rounds } from '../support/rounds.js';
import { pollUnderWrites } from './support/poll-under-writes.js';

it('§4.15, D-26 polling with updatedSince misses nothing while 20 writers change mandates without conflicts', async () => {
  const { conflicts } = await pollUnderWrites(rounds({ short: 40, all: 150 }));
  expect(conflicts).toBe(0);
});
