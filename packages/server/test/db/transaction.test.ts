import type { Knex } from 'knex';
import { beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.js';
import { knexForFile } from '../support/knex-for-file.js';

const knex = await knexForFile({ empty: true, poolSize: 4 });
await knex.raw('create table counters (name text primary key, value integer not null)');

beforeEach(async () => {
  await knex('counters').delete();
  await knex('counters').insert(['a', 'b'].map((name) => ({ name, value: 0 })));
});

const values = () => knex('counters').orderBy('name').pluck<number[]>('value');

async function increment(trx: Knex.Transaction, name: string): Promise<void> {
  await trx('counters').where({ name }).increment('value');
}

/** Fails with an SQLSTATE. */
async function fail(trx: Knex.Transaction, state: string): Promise<void> {
  await trx.raw(`do $$ begin raise exception 'On purpose.' using errcode = '${state}'; end $$`);
}

test('db: when two transactions deadlock, the one that is aborted is retried, and both commit', async () => {
  const order = [
    ['a', 'b'],
    ['b', 'a'],
  ] as const;
  const arrivals: (() => void)[] = [];
  let attempts = 0;
  const run = ([first, second]: readonly [string, string]) =>
    inTransaction(knex, async (trx) => {
      attempts += 1;
      await trx.raw(`set local deadlock_timeout = '10ms'`);
      await increment(trx, first);
      // On the first attempt, both wait for each other here.
      if (attempts <= order.length) {
        await new Promise<void>((resolve) => {
          arrivals.push(resolve);
          if (arrivals.length === order.length) for (const go of arrivals) go();
        });
      }
      await increment(trx, second);
      return first;
    });
  expect(await Promise.all(order.map(run))).toEqual(['a', 'b']);
  expect(await values()).toEqual([2, 2]);
  // They may deadlock again.
  expect(attempts).toBeGreaterThan(2);
});

test('db: a transaction with a serialization failure is retried', async () => {
  let attempts = 0;
  await inTransaction(knex, async (trx) => {
    attempts += 1;
    await trx.raw('set transaction isolation level repeatable read');
    await trx('counters').first();
    if (attempts === 1) await knex('counters').increment('value', 10);
    await increment(trx, 'a');
  });
  expect(await values()).toEqual([11, 10]);
  expect(attempts).toBe(2);
});

test('db: a transaction that fails for another reason is rolled back and not retried', async () => {
  let attempts = 0;
  const failing = inTransaction(knex, async (trx) => {
    attempts += 1;
    await increment(trx, 'a');
    await trx('counters').insert({ name: 'b', value: 0 });
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await values()).toEqual([0, 0]);
  expect(attempts).toBe(1);
});

test('db: a transaction within another is a savepoint and is not retried', async () => {
  const attempts = { outer: 0, inner: 0 };
  const states: unknown[] = [];
  await inTransaction(knex, async (trx) => {
    attempts.outer += 1;
    await increment(trx, 'a');
    const within = inTransaction(trx, async (savepoint) => {
      attempts.inner += 1;
      await increment(savepoint, 'b');
      await fail(savepoint, '40P01');
    });
    await within.catch(({ code }) => states.push(code));
  });
  expect(states).toEqual(['40P01']);
  expect(attempts).toEqual({ outer: 1, inner: 1 });
  expect(await values()).toEqual([1, 0]);
});

test('db: when a transaction within another deadlocks, the outer one is retried', async () => {
  const attempts = { outer: 0, inner: 0 };
  await inTransaction(knex, async (trx) => {
    attempts.outer += 1;
    await increment(trx, 'a');
    await inTransaction(trx, async (savepoint) => {
      attempts.inner += 1;
      if (attempts.inner === 1) await fail(savepoint, '40P01');
      await increment(savepoint, 'b');
    });
  });
  expect(attempts).toEqual({ outer: 2, inner: 2 });
  expect(await values()).toEqual([1, 1]);
});

test.each(['40P01', '40001'])('db: a transaction fails after five attempts (%s)', async (state) => {
  let attempts = 0;
  const failing = inTransaction(knex, async (trx) => {
    attempts += 1;
    await increment(trx, 'a');
    await fail(trx, state);
  });
  await expect(failing).rejects.toMatchObject({ code: state });
  expect(attempts).toBe(5);
  expect(await values()).toEqual([0, 0]);
});
