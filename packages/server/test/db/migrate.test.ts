import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { migrate, pendingMigrations } from '../../src/db/migrate.js';
import { allMigrations } from '../../src/db/migrations/all-migrations.js';
import type { Migration } from '../../src/db/migrations/migration.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { createTestKnex } from '../support/knex-for-file.js';
import { dumpSchema } from '../support/schema-dump.js';
import { emptyDatabase } from './empty-database.js';

const names = allMigrations.map(({ name }) => name);

const createsNotes: Migration = {
  name: '9001-notes',
  up: async (trx) => {
    await trx.raw('create table notes (id integer)');
  },
};
const fails: Migration = {
  name: '9002-fails',
  up: async (trx) => {
    await trx.raw('create table halves (id integer); select 1 / 0');
  },
};

test('db: schema.sql is the schema after all migrations', async () => {
  const { knex } = await emptyDatabase();
  await migrate(knex);
  const written = await readFile(new URL('../../src/db/schema.sql', import.meta.url), 'utf8');
  expect(await dumpSchema(knex)).toBe(written);
});

test('db: pending migrations are listed in order until they have run', async () => {
  const { knex } = await emptyDatabase();
  expect(await pendingMigrations(knex)).toEqual(names);
  await migrate(knex, allMigrations.slice(0, 1));
  expect(await pendingMigrations(knex)).toEqual(names.slice(1));
  await migrate(knex);
  expect(await pendingMigrations(knex)).toEqual([]);
});

test('D-64 a migration that gets no lock lets the calls pass that wait behind it, and is tried again', async () => {
  const { knex } = await emptyDatabase();
  await migrate(knex, [createsNotes]);
  const reader = await knex.transaction();
  onTestFinished(async () => {
    if (!reader.isCompleted()) await reader.rollback();
  });
  await reader('notes').select();
  const adds: Migration = {
    name: '9003-adds',
    up: (trx) => trx.raw('create table others (id integer); alter table notes add text text'),
  };
  const migrated = migrate(knex, [createsNotes, adds]);
  await waitUntilBlocked(knex);
  await knex.transaction(async (trx) => {
    await trx.raw(`set local lock_timeout = '3s'`);
    await trx('notes').insert({ id: 1 });
  });
  await reader.commit();
  await migrated;
  expect(await knex('notes').first()).toEqual({ id: 1, text: null });
});

test('db: listing pending migrations changes nothing', async () => {
  const { knex } = await emptyDatabase();
  await pendingMigrations(knex);
  const tables = await knex('pg_tables').where({ schemaname: 'public' });
  expect(tables).toEqual([]);
});

test('db: concurrent migrations of an empty database all succeed, and each migration runs once', async () => {
  const { url, knex } = await emptyDatabase();
  const processes = Array.from({ length: 5 }, () => createTestKnex(url));
  await Promise.all(processes.map((each) => migrate(each).finally(() => each.destroy())));
  expect(await knex('knex_migrations').orderBy('id').pluck('name')).toEqual(names);
});

test('db: a migration may exceed the statement timeout of the connection', async () => {
  const { url } = await emptyDatabase();
  const hurried = createTestKnex(url, { statementTimeoutMs: 1_000 });
  onTestFinished(() => hurried.destroy());
  await migrate(hurried, [{ name: '9003-slow', up: (trx) => trx.raw('select pg_sleep(1.5)') }]);
  await expect(hurried.raw('select pg_sleep(30)')).rejects.toThrow('statement timeout');
});

test('db: a migration that fails leaves the database as it was', async () => {
  const { knex } = await emptyDatabase();
  await migrate(knex, []);
  const before = await dumpSchema(knex);
  await expect(migrate(knex, [createsNotes, fails])).rejects.toThrow('division by zero');
  expect(await dumpSchema(knex)).toBe(before);
  expect(await pendingMigrations(knex, [createsNotes])).toEqual([createsNotes.name]);
  await migrate(knex, [createsNotes]);
  expect(await dumpSchema(knex)).toContain('create table notes');
});

test('db: the lock of an interrupted migration tool is reported with the remedy', async () => {
  const { knex } = await emptyDatabase();
  await migrate(knex, []);
  await knex('knex_migrations_lock').update({ is_locked: 1 });
  await expect(migrate(knex)).rejects.toThrow('update knex_migrations_lock set is_locked = 0');
  await knex('knex_migrations_lock').update({ is_locked: 0 });
  await migrate(knex);
});

test('D-64 a program of the former release leaves the database of a newer one as it is', async () => {
  const { knex } = await emptyDatabase();
  await migrate(knex, [createsNotes]);
  const before = await dumpSchema(knex);
  await migrate(knex, []);
  expect(await dumpSchema(knex)).toBe(before);
  await expect(migrate(knex, [fails])).rejects.toThrow(
    'has the migrations 9001-notes, which this program does not know, and lacks 9002-fails',
  );
});
