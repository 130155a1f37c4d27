import { createServer, connect as openConnection } from 'node:net';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createKnex, type KnexOptions } from '../../src/db/knex.js';
import { runPrepared } from '../../src/db/prepared-statements.js';
import { createTestDatabase } from '../support/database.js';
import { listenInTest } from '../support/listen-in-test.js';

const database = await createTestDatabase();
afterAll(() => database.release());

function open(url: string, options: KnexOptions = {}) {
  const knex = createKnex(url, { poolSize: 1, ...options });
  onTestFinished(() => knex.destroy());
  return knex;
}

/**
 * Runs a statement three times, and returns how often its connection has run it with a plan of its
 * own or the common one.
 */
async function plansOf(knex: ReturnType<typeof open>, alias: string) {
  for (const value of [1, 2, 3]) {
    const rows = await runPrepared(knex, { sql: `select ?::int as ${alias}`, bindings: [value] });
    expect(rows).toEqual([{ [alias]: value }]);
  }
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    'select statement, (generic_plans + custom_plans)::int as plans from pg_prepared_statements',
  );
  return rows;
}

test('L-09 a statement is parsed once per connection', async () => {
  const knex = open(database.url);
  expect(await plansOf(knex, 'direct')).toEqual([
    { statement: 'select $1::int as direct', plans: 3 },
  ]);
  await knex.transaction(async (trx) => {
    expect(await runPrepared(trx, { sql: 'select ?::int as direct', bindings: [4] })).toEqual([
      { direct: 4 },
    ]);
  });
});

test('L-09 a knex that prepares nothing runs the same statements', async () => {
  expect(await plansOf(open(database.url, { prepares: false }), 'direct')).toEqual([]);
});

test('L-09 nothing is prepared behind a pooler that passes on the names of statements', async () => {
  expect(await plansOf(open(await openPooler(database.url)), 'pooled')).toEqual([]);
});

test('L-09 statements are prepared behind a pooler that gives them names of its own', async () => {
  const url = await openPooler(database.url, { renames: true });
  expect(await plansOf(open(url), 'pooled')).toContainEqual({
    ...{ statement: 'select $1::int as pooled', plans: 3 },
  });
  expect(await plansOf(open(url, { prepares: false }), 'pooled')).not.toContainEqual(
    expect.objectContaining({ statement: 'select $1::int as pooled' }),
  );
});

test('L-09 D-64 a prepared statement survives a migration that adds a column', async () => {
  const knex = open(database.url);
  const read = () =>
    runPrepared(knex, { sql: 'select m.id from (select * from notes) m', bindings: [] });
  await knex.raw('create table notes (id text); insert into notes values (1)');
  expect(await read()).toEqual([{ id: '1' }]);
  await knex.raw('alter table notes add column text text');
  expect(await read()).toEqual([{ id: '1' }]);
});

test('L-09 D-68 with partitions a statement has one plan for all values, and leaves other statements theirs', async () => {
  const { url, release } = await createTestDatabase({ partitions: { count: 4 } });
  onTestFinished(release);
  const setting = 'show plan_cache_mode';
  for (const reached of [url, await openPooler(url, { renames: true })]) {
    const knex = open(reached);
    const sql = 'select id, 1 / ?::int as quotient from files where firm_id = ?';
    for (const firm of ['a', 'b']) await runPrepared(knex, { sql, bindings: [1, firm] });
    const { rows } = await knex.raw(
      'select generic_plans, custom_plans from pg_prepared_statements where statement like ?',
      ['select id, 1 / %'],
    );
    expect(rows).toEqual([{ generic_plans: 2, custom_plans: 0 }]);
    expect((await knex.raw(setting)).rows).toEqual([{ plan_cache_mode: 'auto' }]);

    const divide = (by: number) =>
      runPrepared(knex, { sql: 'select 6 / ?::int as quotient', bindings: [by] });
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    expect((await knex.raw(setting)).rows).toEqual([{ plan_cache_mode: 'auto' }]);
    expect(await Promise.all([divide(2), divide(3)])).toEqual([
      [{ quotient: 3 }],
      [{ quotient: 2 }],
    ]);
  }
});

test('L-09 a statement with a limit has one plan for all values', async () => {
  const knex = open(database.url);
  const sql = 'select id from mandates order by created_on limit ?';
  for (const limit of [50, 200]) await runPrepared(knex, { sql, bindings: [limit] });
  const { rows } = await knex.raw(
    'select generic_plans, custom_plans from pg_prepared_statements where statement like ?',
    ['select id from mandates %'],
  );
  expect(rows).toEqual([{ generic_plans: 2, custom_plans: 0 }]);
});

/**
 * Forwards connections as a pooler does, which tells each client a number of its own instead of the
 * process, and gives prepared statements other names if it `renames` them.
 */
async function openPooler(url: string, { renames = false } = {}): Promise<string> {
  const { hostname, port } = new URL(url);
  const server = createServer((client) => {
    const upstream = openConnection(Number(port), hostname);
    let isStarted = false;
    client.on('data', (bytes) => {
      // The names have the same length, so the lengths of messages stay.
      const text = bytes.toString('latin1');
      const sent = renames && isStarted ? text.replaceAll('adx_', 'pgb_') : text;
      upstream.write(Buffer.from(sent, 'latin1'));
      isStarted = true;
    });
    upstream.on('data', (bytes) => {
      // BackendKeyData: K, its length of 12 bytes, the process, the key.
      const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
      if (at >= 0) bytes.writeInt32BE(1, at + 5);
      client.write(bytes);
    });
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
  });
  const pooled = new URL(url);
  pooled.host = `127.0.0.1:${await listenInTest(server)}`;
  return pooled.href;
}
