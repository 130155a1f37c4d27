import type { Knex } from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { migrate, pendingMigrations } from '../../src/db/migrate.js';
import { allMigrations } from '../../src/db/migrations/all-migrations.js';
import type { Migration } from '../../src/db/migrations/migration.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { createTestKnex, openTestDatabase } from '../support/knex-for-file.js';

const names = allMigrations.map(({ name }) => name);

const createsNotes: Migration = {
  name: '9001-notes',
  sql: 'create table notes (id integer)',
};
const fails: Migration = {
  name: '9002-fails',
  sql: 'create table halves (id integer); select 1 / 0',
};

/** Returns the names of all tables. */
const tablesOf = (knex: Knex) =>
  knex('pg_tables').where({ schemaname: 'public' }).orderBy('tablename').pluck('tablename');

/** Returns the number of the process of PostgreSQL that runs a transaction. */
async function processOf(knex: Knex): Promise<number> {
  const { rows } = await knex.raw('select pg_backend_pid() as pid');
  return rows[0].pid;
}

test('db: pending migrations are listed in order until they have run', async () => {
  const { knex } = await openTestDatabase(onTestFinished, { empty: true });
  const migrations = [...allMigrations, createsNotes];
  expect(await pendingMigrations(knex, migrations)).toEqual([...names, createsNotes.name]);
  await migrate(knex);
  expect(await pendingMigrations(knex, migrations)).toEqual([createsNotes.name]);
  await migrate(knex, migrations);
  expect(await pendingMigrations(knex, migrations)).toEqual([]);
});

test('D-64 a migration that gets no lock lets the calls pass that wait behind it, and is tried again', async () => {
  const { knex } = await openTestDatabase(onTestFinished, { empty: true });
  await migrate(knex, [createsNotes]);
  const reader = await knex.transaction();
  onTestFinished(async () => {
    if (!reader.isCompleted()) await reader.rollback();
  });
  await reader('notes').select();
  const pid = await processOf(reader);
  const adds: Migration = {
    name: '9003-adds',
    sql: 'create table others (id integer); alter table notes add text text',
  };
  const reports: string[] = [];
  const before: Migration = {
    name: '9002-before',
    sql: 'create table earlier (id integer)',
  };
  const migrated = migrate(knex, [createsNotes, before, adds], (line) => void reports.push(line));
  await waitUntilBlocked(knex);
  // The migration before has been committed.
  await knex('earlier').insert({ id: 1 });
  await knex.transaction(async (trx) => {
    await trx.raw(`set local lock_timeout = '3s'`);
    await trx('notes').insert({ id: 1 });
  });
  await eventually(async () => reports.length > 0);
  await reader.commit();
  await migrated;
  expect(reports).toEqual([
    `9003-adds waits for a lock. The oldest transaction is that of process ${pid} of PostgreSQL (adx-server). Trying again for some minutes.`,
  ]);
  expect(await knex('notes').first()).toEqual({ id: 1, text: null });
});

test('D-64 a process that migrates waits for another one, and says so', async () => {
  const { url, knex } = await openTestDatabase(onTestFinished, { empty: true });
  const other = createTestKnex(url);
  onTestFinished(() => other.destroy());
  let pid = 0;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const slow: Migration = {
    name: '9001-slow',
    sql: 'select 1',
    async up(trx) {
      pid = await processOf(trx);
      await ended;
    },
  };
  const first = migrate(other, [slow]);
  await eventually(async () => pid > 0);
  const reports: string[] = [];
  const second = migrate(knex, [slow], (line) => void reports.push(line));
  await eventually(async () => reports.length > 0);
  end();
  await Promise.all([first, second]);
  expect(reports).toEqual([
    `9001-slow waits for another \`migrate\`, process ${pid} of PostgreSQL. Trying again for some minutes.`,
  ]);
});

test('db: listing pending migrations changes nothing', async () => {
  const { knex } = await openTestDatabase(onTestFinished, { empty: true });
  await pendingMigrations(knex);
  expect(await tablesOf(knex)).toEqual([]);
});

test('db: concurrent migrations of an empty database all succeed, and each migration runs once', async () => {
  const { url, knex } = await openTestDatabase(onTestFinished, { empty: true });
  const processes = Array.from({ length: 5 }, () => createTestKnex(url));
  await Promise.all(processes.map((each) => migrate(each).finally(() => each.destroy())));
  expect(await knex('knex_migrations').orderBy('id').pluck('name')).toEqual(names);
  expect(await knex('graphile_worker.migrations').pluck('id')).toHaveLength(18);
});

test('db: a migration may exceed the statement timeout of the connection', async () => {
  const { url } = await openTestDatabase(onTestFinished, { empty: true });
  const hurried = createTestKnex(url, { statementTimeoutMs: 1_000 });
  onTestFinished(() => hurried.destroy());
  await migrate(hurried, [{ name: '9003-slow', sql: 'select pg_sleep(1.5)' }]);
  await expect(hurried.raw('select pg_sleep(30)')).rejects.toThrow('statement timeout');
});

test('D-64 a migration that fails changes nothing, and those before it stay', async () => {
  const { knex } = await openTestDatabase(onTestFinished, { empty: true });
  await migrate(knex, [createsNotes]);
  const before = await tablesOf(knex);
  await expect(migrate(knex, [createsNotes, fails])).rejects.toThrow('division by zero');
  expect(await tablesOf(knex)).toEqual(before);
  expect(await pendingMigrations(knex, [createsNotes, fails])).toEqual([fails.name]);
});

test('db: the lock of an interrupted migration tool is reported with the remedy', async () => {
  const { knex } = await openTestDatabase(onTestFinished, { empty: true });
  await migrate(knex, []);
  await knex('knex_migrations_lock').update({ is_locked: 1 });
  await expect(migrate(knex)).rejects.toThrow('update knex_migrations_lock set is_locked = 0');
  await knex('knex_migrations_lock').update({ is_locked: 0 });
  await migrate(knex);
});

test('D-64 a program of the former release leaves the database of a newer one as it is', async () => {
  const { knex } = await openTestDatabase(onTestFinished, { empty: true });
  await migrate(knex, [createsNotes]);
  const before = await tablesOf(knex);
  await migrate(knex, []);
  expect(await tablesOf(knex)).toEqual(before);
  await expect(migrate(knex, [fails])).rejects.toThrow(
    'has the migrations 9001-notes, which this program does not know, and lacks 9002-fails',
  );
});
