import { createServer } from 'node:net';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { createKnex } from '../../src/db/knex.js';
import { isUnavailable } from '../../src/db/unavailable.js';
import { openTestDatabase } from '../support/knex-for-file.js';
import { listenInTest } from '../support/listen-in-test.js';

const options = { poolSize: 2, statementTimeoutMs: 1_500 };
const { url, knex } = await openTestDatabase(afterAll, options);

async function value(expression: string): Promise<unknown> {
  const { rows } = await knex.raw<{ rows: { value: unknown }[] }>(`select ${expression} as value`);
  return rows[0]?.value;
}

test('db: a bigint is read as a number, and one too large for that is refused', async () => {
  expect(await value('count(*)')).toBe(1);
  expect(await value('9007199254740991::bigint')).toBe(9007199254740991);
  await expect(value('9007199254740992::bigint')).rejects.toThrow('not a safe integer');
});

test('db: a decimal is read as text, without loss', async () => {
  expect(await value('123456789012345678.901::numeric')).toBe('123456789012345678.901');
});

test('db: a statement that exceeds its timeout is cancelled, and the connection stays usable', async () => {
  await expect(value('pg_sleep(30)')).rejects.toThrow('statement timeout');
  expect(await value('1')).toBe(1);
});

test('db: a database that refuses connections is reported', async () => {
  const failures: unknown[] = [];
  const onConnectionFailure = (error: unknown) => void failures.push(error);
  const absent = createKnex('postgresql://adx@127.0.0.1:1/adx', { onConnectionFailure });
  onTestFinished(() => absent.destroy());
  await expect(absent.raw('select 1')).rejects.toThrow('ECONNREFUSED');
  expect(failures).toMatchObject([{ code: 'ECONNREFUSED' }]);
});

test('db: connecting to a server that never answers times out', async () => {
  const port = await listenInTest(createServer());
  const waiting = createKnex(`postgresql://adx@127.0.0.1:${port}/adx`, {
    connectionTimeoutMs: 100,
  });
  onTestFinished(() => waiting.destroy());
  await expect(waiting.raw('select 1')).rejects.toThrow(/timeout/i);
});

test.each([
  { options: {}, lock: '5s', statement: '30s' },
  { options: { statementTimeoutMs: 2_000 }, lock: '2s', statement: '2s' },
  { options: { lockTimeoutMs: 100 }, lock: '100ms', statement: '30s' },
  { options: { statementTimeoutMs: 0 }, lock: '0', statement: '0' },
])('db: the lock timeout is $lock with a statement timeout of $statement', async (limits) => {
  const own = createKnex(url, limits.options);
  onTestFinished(() => own.destroy());
  const { rows } = await own.raw(
    `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`,
  );
  expect(rows).toEqual([{ lock: limits.lock, statement: limits.statement }]);
});

test('D-39 the database plans for solid-state disks, where an index is worth more', async () => {
  const { rows } = await knex.raw('show random_page_cost');
  expect(rows).toEqual([{ random_page_cost: '1.1' }]);
});

test('db: a transaction that is idle for too long releases its locks', async () => {
  await knex.raw('create table held (id int); insert into held values (1)');
  onTestFinished(async () => {
    await knex.raw('drop table held');
  });
  const silent = await knex.transaction();
  await silent.raw('select id from held for update');
  await expect(knex.raw('select id from held for update nowait')).rejects.toThrow('lock');
  await eventually(() => knex.raw('select id from held for update nowait'));
  const error = await silent.raw('select 1').catch((reason: unknown) => reason);
  expect(isUnavailable(error)).toBe(true);
  await silent.rollback().catch(() => {});
});

test('D-03 after PostgreSQL has ended a connection, the next statement gets another one', async () => {
  const end = 'select pg_terminate_backend(pg_backend_pid())';
  for (let times = 0; times < 20; times += 1) {
    await expect(knex.raw(end)).rejects.toThrow('terminating connection');
    expect((await knex.raw('select 1 as one')).rows).toEqual([{ one: 1 }]);
  }
});
