import { expect, test } from 'vitest';
import { printResult } from '../../../../test/proofs/print-result.js';
import { checkObjectOutcomes } from './object-outcomes.js';

const first = Date.now() % 1_000_000;

test.each(Array.from({ length: 10 }, (_, i) => first + i))(
  'D-31 500 objects from seed %i: each has an outcome, unless an object of the same grant replaced it',
  async (seed) => {
    const tally = await checkObjectOutcomes(seed, 500);
    printResult({ seed, ...tally });
    expect(tally.listed).toBeGreaterThan(20);
  },
);
