import type { Knex } from 'knex';
import { afterAll, type onTestFinished } from 'vitest';
import { createKnex, type KnexOptions } from '../../src/db/knex.js';
import { createTestDatabase, type TestDatabaseOptions } from './database.js';
import { tablesOf } from './tables.js';

/**
 * Creates a connection pool with long timeouts, because on a busy machine the thread of a test may
 * be delayed for longer than the timeouts of the service.
 */
export function createTestKnex(url: string, options: KnexOptions = {}): Knex {
  const patience = 120_000;
  return createKnex(url, {
    ...{ connectionTimeoutMs: patience, statementTimeoutMs: patience, lockTimeoutMs: patience },
    ...options,
  });
}

/**
 * Creates a database, connects to it, and removes it at the end.
 *
 * @param atEnd - `onTestFinished`, or `afterAll` for a database of the whole file
 */
export async function openTestDatabase(
  atEnd: typeof afterAll | typeof onTestFinished,
  options: TestDatabaseOptions & KnexOptions = {},
): Promise<{ readonly url: string; readonly knex: Knex }> {
  const database = await createTestDatabase(options);
  const knex = createTestKnex(database.url, options);
  atEnd(async () => {
    await knex.destroy();
    await database.drop();
  });
  return { url: database.url, knex };
}

/** Connects to a database of the calling test file. */
export async function knexForFile(options?: TestDatabaseOptions & KnexOptions): Promise<Knex> {
  return (await openTestDatabase(afterAll, options)).knex;
}

interface EmptyDatabase {
  readonly url: string;
  readonly knex: Knex;
}

/** Databases that no test of this process uses now. */
const unused: EmptyDatabase[] = [];

/**
 * Returns a database like a new one, which this process used before and emptied, because that takes
 * a fraction of the time of creating one. A test that changes the schema or reference data restores
 * it. Databases are removed with the temporary server.
 */
export async function reuseTestDatabase(
  atEnd: (empty: () => Promise<void>) => void,
): Promise<EmptyDatabase> {
  const database = unused.pop() ?? (await createReusable());
  atEnd(async () => {
    await database.knex.raw('call empty_database()');
    unused.push(database);
  });
  return database;
}

async function createReusable(): Promise<EmptyDatabase> {
  const { url } = await createTestDatabase();
  const applicationName = 'tests';
  const knex = createTestKnex(url, { poolSize: 20, applicationName });
  const tables = await tablesOf(knex);
  const { rows } = await knex.raw(
    `select array[${tables.map((table) => `exists (select from ${table})`)}] as filled`,
  );
  const emptied = tables.filter((_, place) => !rows[0].filled[place]);
  const others = `from pg_stat_activity where datname = current_database()
    and backend_type = 'client backend' and application_name <> '${applicationName}'`;
  await knex.raw(`
    create procedure empty_database() language plpgsql set session_replication_role = replica as $$
    begin
      -- Sessions that a test has closed, or whose process it has killed, may go on for a moment.
      for wait in 1..100 loop
        perform pg_stat_clear_snapshot();
        exit when not exists (select ${others});
        perform pg_sleep(0.01);
      end loop;
      perform pg_terminate_backend(pid, 10000) ${others};
      ${emptied.map((table) => `delete from ${table};`).join('\n')}
    end $$`);
  return { url, knex };
}
