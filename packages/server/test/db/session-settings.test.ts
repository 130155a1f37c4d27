import type { Knex } from 'knex';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createKnex } from '../../src/db/knex.js';
import { migrate } from '../../src/db/migrate.js';
import { checkDatabase } from '../../src/db/open-database.js';
import { openQueueConnections } from '../../src/jobs/queue-connections.js';
import { openTestDatabase } from '../support/knex-for-file.js';
import { oddSettings } from '../support/odd-settings.js';

const { url: databaseUrl, knex: admin } = await openTestDatabase(afterAll, { poolSize: 1 });
beforeEach(() => setDefaults(admin, {}));

/** Gives the connections that are opened from now on other settings. */
async function setDefaults(knex: Knex, settings: Readonly<Record<string, string>>) {
  const { name } = await knex.first(knex.raw('current_database() as name'));
  await knex.raw('alter database ?? reset all', [name]);
  for (const [setting, value] of Object.entries(settings)) {
    await knex.raw(`alter database ?? set ${setting} = '${value}'`, [name]);
  }
}

/**
 * Returns functions that run a statement on new pools, that of the service and that of its jobs.
 */
function openPools() {
  const knex = createKnex(databaseUrl, { poolSize: 2 });
  const { pool, close } = openQueueConnections({
    ...{ url: databaseUrl, size: 2, applicationName: 'test' },
    ...{ onLost() {}, onConnectionFailure() {} },
  });
  onTestFinished(() => knex.destroy());
  onTestFinished(close);
  const ofJobs = async (sql: string) => {
    const client = await pool.connect();
    // The queue does so too: it gives connections back without the error.
    return client.query(sql).finally(() => client.release());
  };
  return { knex, run: [(sql: string) => knex.raw(sql), ofJobs] };
}

test('D-39 connections of the service and of its jobs have the same settings whatever the defaults are', async () => {
  const names = Object.keys(oddSettings).map((name) => `'${name}'`);
  const read = async () => {
    const sql = `select name, setting from pg_settings where name in (${names}) order by name`;
    return Promise.all(openPools().run.map(async (run) => (await run(sql)).rows));
  };
  const expected = await read();
  for (const [name, value] of Object.entries(oddSettings)) {
    await setDefaults(admin, { [name]: value });
    expect(await read(), name).toEqual(expected);
  }
  await setDefaults(admin, oddSettings);
  expect(await read()).toEqual(expected);
});

test('D-64 a database with odd settings is migrated to the same schema', async () => {
  const { url, knex } = await openTestDatabase(onTestFinished, { empty: true });
  await setDefaults(knex, oddSettings);
  const odd = createKnex(url, { poolSize: 1, statementTimeoutMs: 0 });
  onTestFinished(() => odd.destroy());
  await migrate(odd);
  const columns = async (run: Knex) =>
    (
      await run.raw(`select table_schema, table_name, column_name, data_type, column_default
                       from information_schema.columns
                      where table_schema not in ('pg_catalog', 'information_schema')
                        and not (select relispartition from pg_class
                                  where oid = to_regclass(format('%I.%I', table_schema, table_name)))
                      order by 1, 2, 3`)
    ).rows;
  expect(await columns(odd)).toEqual(await columns(admin));
});

test('D-23 connections that were opened while the database was read-only are not used again', async () => {
  const { knex, run } = openPools();
  const write = "update job_workers set beat_on = now() where id = ''";
  await setDefaults(admin, { default_transaction_read_only: 'on' });
  for (const each of run) {
    await Promise.all(['select pg_sleep(0.1)', 'select pg_sleep(0.1)'].map(each));
    await expect(each(write)).rejects.toMatchObject({ code: '25006' });
  }
  await expect(checkDatabase(knex)).rejects.toThrow('The database is read-only (25006)');
  await setDefaults(admin, {});
  await checkDatabase(knex);
  // One call fails, not one for each connection.
  await Promise.all([write, write].map((sql) => knex.raw(sql)));
  const failed = await Promise.allSettled([write, write, write].map((sql) => run[1]?.(sql)));
  expect(failed.filter(({ status }) => status === 'rejected').length).toBeLessThanOrEqual(1);
});
