import { expect, onTestFinished, test } from 'vitest';
import { rounds } from '../../../../test/support/rounds.js';
import { createSharedRateLimit, deleteOldWindows } from '../../src/api/shared-rate-limit.js';
import { createTestKnex, knexForFile } from '../support/knex-for-file.js';
import { callsPerSecond } from './calls-per-second.js';
import { checkSharedLimit, countDraws } from './shared-rate-limit-property.js';

const knex = await knexForFile({ poolSize: 4 });
/** No window ends during a test. */
const windowSeconds = 1_000_000_000;

/** Makes calls, one after another, and returns how many were allowed. */
async function callTimes(
  times: number,
  rateLimit: ReturnType<typeof createSharedRateLimit>,
  caller: string,
): Promise<number> {
  let allowed = 0;
  for (let n = 0; n < times; n += 1) allowed += (await rateLimit(caller)).isAllowed ? 1 : 0;
  return allowed;
}

test('D-23 processes that share a limit never exceed it, and refuse calls only when it is used up', () =>
  checkSharedLimit(knex, rounds({ short: 8, all: 25 })));

test('D-23 in windows of a second, four busy processes never exceed the limit by 5 %', async () => {
  const calls = await callsPerSecond(knex, { limit: 100, seconds: 2 });
  expect(calls.length).toBeGreaterThan(1);
  for (const each of calls) expect(each).toBeLessThanOrEqual(105);
});

test('D-23 beyond the limit, calls are refused without asking the database', async () => {
  const rateLimit = createSharedRateLimit({ knex, limit: 100, windowSeconds });
  await callTimes(101, rateLimit, 'greedy');
  expect(await countDraws(knex, () => callTimes(500, rateLimit, 'greedy'))).toBe(0);
  const { rows } = await knex.raw(
    `select xmin::text from rate_limit_windows where caller = 'greedy'`,
  );
  // Another process asks once, and that does not write either.
  const other = createSharedRateLimit({ knex, limit: 100, windowSeconds });
  expect(await countDraws(knex, () => callTimes(500, other, 'greedy'))).toBe(1);
  const after = await knex.raw(`select xmin::text from rate_limit_windows where caller = 'greedy'`);
  expect(after.rows).toEqual(rows);
});

/**
 * Makes inserts fail with the error of a full disk. They go into a temporary table, which only this
 * connection sees in place of the real one.
 */
const fullDisk = `
  create temporary table rate_limit_windows (like public.rate_limit_windows including all);
  create function pg_temp.fill_disk() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
  create trigger full_disk before insert on rate_limit_windows execute function pg_temp.fill_disk()`;

test.each([
  ['is read-only', 'set session characteristics as transaction read only'],
  ['has a full disk', fullDisk],
])('D-23 while the database %s, each process counts for itself', async (_, sql) => {
  const own = createTestKnex(knex.client.config.connection.connectionString, { poolSize: 1 });
  onTestFinished(() => own.destroy());
  await own.raw(sql);
  const options = { knex: own, limit: 100, windowSeconds };
  for (const rateLimit of [createSharedRateLimit(options), createSharedRateLimit(options)]) {
    expect(await callTimes(150, rateLimit, 'reader')).toBe(100);
  }
});

test('D-23 what is left counts down, also with calls of another process', async () => {
  const limit = { knex, limit: 400, windowSeconds };
  const [first, second] = [createSharedRateLimit(limit), createSharedRateLimit(limit)];
  expect(await first('counted')).toMatchObject({ isAllowed: true, remaining: 399 });
  expect(await first('counted')).toMatchObject({ remaining: 398 });
  await callTimes(200, second, 'counted');
  // The first process learns of the other’s calls at its next draw.
  await callTimes(9, first, 'counted');
  expect((await first('counted')).remaining).toBeLessThan(200);
});

test('D-23 a share is not spent after the end of its window', async () => {
  let clock = 0;
  const options = { knex, limit: 100, windowSeconds, monotonicMs: () => clock };
  const rateLimit = createSharedRateLimit(options);
  await rateLimit('late');
  // The clock of this machine is that of the database.
  const windowMs = windowSeconds * 1000;
  clock = windowMs - (Date.now() % windowMs) - 600_000;
  expect(await countDraws(knex, () => rateLimit('late'))).toBe(0);
  clock += 1_200_000;
  expect(await countDraws(knex, () => rateLimit('late'))).toBe(1);
});

test('D-23 a clock of the database that was set back locks no caller out', async () => {
  const options = { knex, limit: 10, windowSeconds };
  expect(await callTimes(20, createSharedRateLimit(options), 'early')).toBe(10);
  await knex('rate_limit_windows').where({ caller: 'early' }).increment('number', 60);
  expect(await callTimes(20, createSharedRateLimit(options), 'early')).toBe(10);
});

test('D-23 a window that began while a draw waited keeps its count', async () => {
  const options = { knex, limit: 10, windowSeconds };
  expect(await callTimes(4, createSharedRateLimit(options), 'waiting')).toBe(4);
  await knex('rate_limit_windows').where({ caller: 'waiting' }).increment('number', 1);
  expect(await callTimes(20, createSharedRateLimit(options), 'waiting')).toBe(6);
});

test('D-23 windows that ended long ago are deleted, not those of this hour', async () => {
  await knex('rate_limit_windows').insert([
    { caller: 'gone', number: 1, drawn: 1 },
    { caller: 'recent', number: Math.floor(Date.now() / 60_000) - 30, drawn: 1 },
  ]);
  await createSharedRateLimit({ knex, limit: 10, windowSeconds: 60 })('present');
  await deleteOldWindows(knex, 60).run();
  const left = await knex('rate_limit_windows').whereIn('caller', ['gone', 'recent', 'present']);
  expect(left.map(({ caller }) => caller).sort()).toEqual(['present', 'recent']);
});

test('D-23 a call draws its share even if no windows can be deleted', async () => {
  await knex.raw(`create rule kept as on delete to rate_limit_windows do instead select 1 / 0`);
  const rateLimit = createSharedRateLimit({ knex, limit: 10, windowSeconds: 60 });
  const call = await Promise.allSettled([rateLimit('unaffected')]);
  await knex.raw('drop rule kept on rate_limit_windows');
  expect(call).toMatchObject([{ status: 'fulfilled', value: { isAllowed: true } }]);
});

test('D-23 if the database fails, the calls fail, and later ones succeed', async () => {
  const rateLimit = createSharedRateLimit({ knex, limit: 10, windowSeconds });
  await knex.raw('alter table rate_limit_windows rename to away');
  const calls = await Promise.allSettled([rateLimit('unlucky'), rateLimit('unlucky')]);
  await knex.raw('alter table away rename to rate_limit_windows');
  expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await rateLimit('unlucky')).toMatchObject({ isAllowed: true });
});
