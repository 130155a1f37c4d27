import { expect, test } from 'vitest';
import { checkAddressSequence } from './address-sequence.js';

const SEQUENCES = 200;

test('D-36 an address gets at most one mail, none once it is replaced, and the last address one', async () => {
  let checked = 0;
  for (let seed = 1_000; seed < 1_000 + SEQUENCES; seed += 1) {
    await checkAddressSequence(seed);
    checked += 1;
  }
  expect(checked).toBe(SEQUENCES);
});
