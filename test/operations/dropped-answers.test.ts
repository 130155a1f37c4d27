import { expect, it } from 'vitest';
import { dropAnswers } from './support/drop-answers.js';

it('D-43 of 40 calls whose first answer is lost, each takes effect once and succeeds', async () => {
  const { calls, notOnce, errors } = await dropAnswers(40);
  expect({ calls, notOnce, errors }).toEqual({ calls: 40, notOnce: 0, errors: [] });
});
