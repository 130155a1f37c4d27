import type { Knex } from 'knex';
import { pino } from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createApiKeyStore } from '../../src/identity/api-keys.js';
import { createUsageCounter } from '../../src/usage/usage-counter.js';
import { addUsage, deleteOldUsage } from '../../src/usage/usage-store.js';
import type { UsedElement } from '../../src/usage/used-elements.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { knexForFile } from '../support/knex-for-file.js';

const knex = await knexForFile({ poolSize: 8 });
const call: UsedElement = { operation: 'getCustomer', field: '', value: '' };
const field = { ...call, field: 'body.sort' };
const value = { ...field, value: '"status"' };

beforeEach(() => knex('api_usage').delete());

async function newKey(partner = 'Pakket'): Promise<string> {
  return (await createApiKeyStore(knex).issue({ partner, scopes: [] })).id;
}

/** Starts a counter that writes only when it is stopped, unless `everyMs` is given. */
function startCounter(options: { now?: () => Date; everyMs?: number; knex?: Knex } = {}) {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(line) });
  const counter = createUsageCounter({
    ...{ knex, logger, now: () => new Date(), everyMs: 3_600_000 },
    ...options,
  });
  onTestFinished(() => counter.stop());
  return { ...counter, lines };
}

const stored = () =>
  knex('api_usage')
    .orderBy(['day', 'api_key_id', 'operation', 'field', 'value'])
    .select('day', 'api_key_id', 'operation', 'field', 'value', 'calls');

test('D-41 the counts of several processes add up', async () => {
  const [first, second] = [await newKey(), await newKey()];
  const day = '2026-03-02';
  const now = () => new Date(`${day}T12:00:00Z`);
  const counters = [startCounter({ now }), startCounter({ now }), startCounter({ now })];
  for (const counter of counters) {
    for (let calls = 0; calls < 10; calls += 1) counter.count(first, [call]);
    counter.count(first, [call, field, value]);
    counter.count(second, [call]);
  }
  await Promise.all(counters.map((counter) => counter.stop()));
  const row = (api_key_id: string, element: UsedElement, calls: number) => ({
    ...{ day, api_key_id, ...element, calls },
  });
  expect(await stored()).toEqual([
    ...[row(first, call, 33), row(first, field, 3), row(first, value, 3)],
    row(second, call, 3),
  ]);
});

test('D-41 processes that write the same rows at the same moment do not get in each other’s way', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => newKey()));
  const elements = Array.from({ length: 20 }, (_, n) => ({ ...call, field: `body.${n}` }));
  const counters = Array.from({ length: 6 }, (_, n) => {
    const counter = startCounter();
    const inTurn = n % 2 === 0 ? [...keys] : [...keys].reverse();
    for (const key of inTurn) counter.count(key, n % 3 === 0 ? [...elements].reverse() : elements);
    return counter;
  });
  await Promise.all(counters.map((counter) => counter.stop()));
  expect(counters.flatMap(({ lines }) => lines)).toEqual([]);
  const rows = await stored();
  expect(rows.length).toBe(400);
  expect(new Set(rows.map(({ calls }) => calls))).toEqual(new Set([6]));
});

test('D-41 counts are written while the process runs, so that a kill loses only those since the last write', async () => {
  const key = await newKey();
  const counter = startCounter({ everyMs: 20 });
  for (const total of [1, 2]) {
    counter.count(key, [call]);
    await expect.poll(async () => (await stored()).map(({ calls }) => calls)).toEqual([total]);
  }
});

test('D-41 a call counts for its own day in UTC, although it is written on the next', async () => {
  const key = await newKey();
  let at = '2026-03-01T23:59:59.999Z';
  const counter = startCounter({ now: () => new Date(at) });
  counter.count(key, [call]);
  at = '2026-03-02T00:00:00.000Z';
  counter.count(key, [call]);
  counter.count(key, [call]);
  await counter.stop();
  expect((await stored()).map(({ day, calls }) => [day, calls])).toEqual([
    ['2026-03-01', 1],
    ['2026-03-02', 2],
  ]);
});

test('D-41 counts that could not be written are kept, and the log says so once', async () => {
  const key = await newKey();
  await knex.raw('alter table api_usage rename to away');
  const counter = startCounter({ everyMs: 20 });
  counter.count(key, [call, field]);
  await expect.poll(() => counter.lines.length).toBe(1);
  counter.count(key, [call]);
  await knex.raw('select pg_sleep(0.2)');
  expect(counter.lines.length).toBe(1);
  await knex.raw('alter table away rename to api_usage');
  await expect
    .poll(async () => (await stored()).map(({ field, calls }) => [field, calls]))
    .toEqual([
      ['', 2],
      ['body.sort', 1],
    ]);
  await expect.poll(() => counter.lines.length).toBe(2);
  expect(counter.lines.map((line) => JSON.parse(line).msg)).toEqual([
    'the counts of calls could not be written',
    'the counts of calls are written again',
  ]);
});

test('D-41 a process whose database does not respond stops within seconds, and says that counts are lost', async () => {
  const key = await newKey();
  const counter = startCounter();
  counter.count(key, [call]);
  const lock = await knex.transaction();
  await lock.raw('lock table api_usage');
  await counter.stop();
  await lock.rollback();
  expect(counter.lines.map((line) => JSON.parse(line).msg)).toEqual([
    'the counts of the last calls are lost',
  ]);
});

test('D-41 a process that stops during a write adds what it has counted since', async () => {
  const key = await newKey();
  const counter = startCounter({ everyMs: 20 });
  const lock = await knex.transaction();
  await lock.raw('lock table api_usage in exclusive mode');
  counter.count(key, [call]);
  await waitUntilBlocked(knex);
  counter.count(key, [call]);
  const stopped = counter.stop();
  await lock.rollback();
  await stopped;
  expect(await stored()).toMatchObject([{ calls: 2 }]);
});

test('D-41 an API key that was removed from the database does not hold up the counts of others', async () => {
  const [removed, key] = [await newKey(), await newKey()];
  const counter = startCounter();
  counter.count(removed, [call]);
  counter.count(key, [call]);
  await knex('api_keys').where({ id: removed }).delete();
  await counter.stop();
  expect(await stored()).toMatchObject([{ api_key_id: key, calls: 1 }]);
});

test('D-41 a process without calls writes nothing', async () => {
  const queries: unknown[] = [];
  const log = (query: unknown) => void queries.push(query);
  knex.on('query', log);
  await startCounter().stop();
  knex.off('query', log);
  expect(queries).toEqual([]);
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

test('D-41 the counts of 400 days are kept', async () => {
  const apiKeyId = await newKey();
  const days = [0, 399, 400, 401, 500].map((ago) => dayOf(daysAgo(ago)));
  await addUsage(
    knex,
    days.map((day) => ({ day, apiKeyId, ...call, calls: 1 })),
  );
  await deleteOldUsage(knex).run();
  const kept = (await stored()).map(({ day }) => day);
  expect(kept).toEqual(days.slice(0, 3).reverse());
});
