import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { migrate, pendingMigrations } from '../../src/db/migrate.js';
import { allMigrations } from '../../src/db/migrations/all-migrations.js';
import type { Migration } from '../../src/db/migrations/migration.js';
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

test('db: a migration waits for locks without a timeout, even if the connection has one', async () => {
  const { knex } = await emptyDatabase();
  const limits = `current_setting('lock_timeout') || current_setting('statement_timeout')`;
  const asks: Migration = {
    name: '9003-asks',
    up: async (trx) => {
      await trx.raw(`create table asked as select ${limits} as limits`);
    },
  };
  await migrate(knex, [asks]);
  expect(await knex('asked').first()).toEqual({ limits: '00' });
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

test('db: a database that is newer than the program is not migrated', async () => {
  const { knex } = await emptyDatabase();
  await migrate(knex, [createsNotes]);
  await expect(migrate(knex, [])).rejects.toThrow(
    `newer than this program: it has the migrations 9001-notes`,
  );
});
