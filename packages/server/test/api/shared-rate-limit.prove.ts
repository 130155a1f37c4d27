import { expect, test } from 'vitest';
import { knexForFile } from '../support/knex-for-file.js';
import { callsPerSecond } from './calls-per-second.js';
import { checkSharedLimit } from './shared-rate-limit-property.js';

const knex = await knexForFile({ poolSize: 8 });

test('D-23 processes that share a limit never exceed it, and refuse calls only when it is used up (2,000 runs)', () =>
  checkSharedLimit(knex, 2_000));

test('D-23 in 60 windows of a second, four busy processes never exceed the limit by 5 %', async () => {
  for (const calls of await callsPerSecond(knex, { limit: 400, seconds: 60 })) {
    expect(calls).toBeLessThanOrEqual(420);
  }
});
