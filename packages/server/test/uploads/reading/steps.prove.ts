import { expect, test } from 'vitest';
import { printResult } from '../../../../../test/proofs/print-result.js';
import { checkSteps } from './random-steps.js';

const first = Date.now() % 1_000_000;
const total = { steps: 0, kills: 0 };

test.each(Array.from({ length: 20 }, (_, i) => first + i))(
  'D-38 10 files from seed %i that are read in random steps give the same as files that are read at once',
  async (seed) => {
    const tally = await checkSteps(seed, 10);
    printResult({ seed, ...tally });
    total.steps += tally.steps;
    total.kills += tally.kills;
    expect(tally.steps).toBeGreaterThan(0);
  },
);

test('D-38 the files above were read in many steps, and by processes that were killed', () => {
  expect(total.steps).toBeGreaterThan(50);
  expect(total.kills).toBeGreaterThan(50);
});
