import { expect, test } from 'vitest';
import { checkSteps } from './random-steps.js';

const first = Date.now() % 1_000_000;

test.each(Array.from({ length: 20 }, (_, i) => first + i))(
  'D-38 10 files from seed %i that are read in random steps give the same as files that are read at once',
  async (seed) => {
    const tally = await checkSteps(seed, 10);
    process.stdout.write(`${JSON.stringify({ seed, ...tally })}\n`);
    expect(tally.kills).toBeGreaterThan(5);
  },
);
