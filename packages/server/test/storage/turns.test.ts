import { setImmediate as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns } from '../../src/storage/embedded/turns.js';

test('storage: who changes the same object waits for the one before, also where that fails', async () => {
  const turns = new Turns();
  const steps: string[] = [];
  const work = (step: string) => async () => {
    steps.push(`${step} begins`);
    await pause();
    steps.push(`${step} ends`);
    if (step === 'first') throw new Error('failed');
    return step;
  };
  const outcomes = await Promise.allSettled([
    turns.take('k', work('first')),
    turns.take('k', work('second')),
  ]);
  expect(outcomes).toMatchObject([{ status: 'rejected' }, { value: 'second' }]);
  expect(steps).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});
