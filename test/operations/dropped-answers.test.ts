import { expect, it } from 'vitest';
import { rounds } from '../support/rounds.js';
import { dropAnswers } from './support/drop-answers.js';

const count = rounds({ short: 10, all: 40 });
it(`D-43 of ${count} calls whose first answer is lost, each takes effect once and succeeds`, async () => {
  const { calls, notOnce, errors } = await dropAnswers(count);
  expect({ calls, notOnce, errors }).toEqual({ calls: count, notOnce: 0, errors: [] });
});
