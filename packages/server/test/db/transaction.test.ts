import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.js';
import { knexForFile } from '../support/knex-for-file.js';

const knex = await knexForFile({ empty: true });
await knex.raw('create table kept (attempt integer)');

/** Ends a transaction with an error of this SQLSTATE. */
const fail = (trx: Knex.Transaction, state: string) =>
  trx.raw(`do $$ begin raise exception 'lost' using errcode = '${state}'; end $$`);

/** Runs a transaction that fails some times; answers how often it ran, and what it left. */
async function attempts(failures: number, state: string) {
  await knex('kept').delete();
  let ran = 0;
  const outcome = await inTransaction(knex, async (trx) => {
    ran += 1;
    await trx('kept').insert({ attempt: ran });
    if (ran <= failures) await fail(trx, state);
    return 'done';
  }).catch(({ code }: { code: string }) => code);
  return { ran, outcome, kept: await knex('kept').pluck('attempt') };
}

test.each(['40P01', '40001'])(
  'db: a transaction that lost against another (%s) is run again',
  async (state) => {
    expect(await attempts(4, state)).toEqual({ ran: 5, outcome: 'done', kept: [5] });
  },
);

test('db: a transaction that keeps losing is given up after five attempts', async () => {
  expect(await attempts(9, '40P01')).toEqual({ ran: 5, outcome: '40P01', kept: [] });
});

test('db: a transaction that failed otherwise is not run again', async () => {
  expect(await attempts(1, '23505')).toEqual({ ran: 1, outcome: '23505', kept: [] });
});

test('db: a transaction that lost within another is not run again by itself; the outer one is', async () => {
  const order: string[] = [];
  await inTransaction(knex, async (outer) => {
    order.push('outer');
    await inTransaction(outer, async (inner) => {
      order.push('inner');
      if (order.length === 2) await fail(inner, '40P01');
    });
  });
  expect(order).toEqual(['outer', 'inner', 'outer', 'inner']);
});
