import { runMigrations } from 'graphile-worker';
import type { Knex } from 'knex';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrate, pendingMigrations } from '../../src/db/migrate.js';
import { allMigrations } from '../../src/db/migrations/all-migrations.js';
import { openTestDatabase } from '../support/knex-for-file.js';

const quiet = {
  schema: 'graphile_worker',
  logger: { scope: () => quiet.logger, debug() {}, info() {}, warn() {}, error() {} } as never,
};

/** Lets graphile-worker install its queue. */
async function installQueue(url: string): Promise<void> {
  const pgPool = new Pool({ connectionString: url });
  // `end` does not wait until the connections are closed, and the database is dropped meanwhile.
  pgPool.on('connect', (client) => client.on('error', () => {}));
  pgPool.on('error', () => {});
  await runMigrations({ pgPool, ...quiet });
  await pgPool.end();
}

/** Returns the contents of the schema of the queue: steps, columns, functions, indexes, views. */
async function contents(knex: Knex): Promise<unknown> {
  const { rows } = await knex.raw(
    `select 'step ' || id as name, breaking::text as text from graphile_worker.migrations
     union all
     select table_name || '.' || column_name, data_type || coalesce(column_default, '')
       from information_schema.columns where table_schema = 'graphile_worker'
     union all
     select p.oid::regprocedure::text, pg_get_functiondef(p.oid)
       from pg_proc p where pronamespace = 'graphile_worker'::regnamespace
     union all
     select indexname, indexdef from pg_indexes where schemaname = 'graphile_worker'
     union all
     select viewname, definition from pg_views where schemaname = 'graphile_worker'
     order by 1, 2`,
  );
  return rows;
}

test('jobs: the installed queue equals the one that graphile-worker installs', async () => {
  const ours = await openTestDatabase(onTestFinished, { empty: true });
  await migrate(ours.knex);
  const theirs = await openTestDatabase(onTestFinished, { empty: true });
  await installQueue(theirs.url);
  expect(await contents(ours.knex)).toEqual(await contents(theirs.knex));
});

test('jobs: graphile-worker finds nothing to install in a migrated database', async () => {
  const { url, knex } = await openTestDatabase(onTestFinished);
  const before = await knex('graphile_worker.migrations').orderBy('id');
  await installQueue(url);
  expect(await knex('graphile_worker.migrations').orderBy('id')).toEqual(before);
});

test('jobs: the queue is installed in the transaction of its migration', async () => {
  const { knex } = await openTestDatabase(onTestFinished, { empty: true });
  const failing = allMigrations.map((migration) => ({
    ...migration,
    async up(trx: Knex) {
      await migration.up?.(trx);
      await trx.raw('select 1 / 0');
    },
  }));
  await expect(migrate(knex, failing)).rejects.toThrow('division by zero');
  const { rows } = await knex.raw(`select to_regnamespace('graphile_worker') as schema`);
  expect(rows).toEqual([{ schema: null }]);
  expect(await pendingMigrations(knex)).toEqual(allMigrations.map(({ name }) => name));
});
