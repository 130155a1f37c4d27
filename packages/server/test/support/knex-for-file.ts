import type { Knex } from 'knex';
import { afterAll, type onTestFinished } from 'vitest';
import { createKnex, type KnexOptions } from '../../src/db/knex.js';
import { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from './database.js';
import { applicationName, emptyDatabase } from './empty-database.js';

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
 * Takes a database, connects to it, and gives it back at the end.
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
    await database.release();
  });
  return { url: database.url, knex };
}

/** Connects to a database of the calling test file. */
export async function knexForFile(options?: TestDatabaseOptions & KnexOptions): Promise<Knex> {
  return (await openTestDatabase(afterAll, options)).knex;
}

/** Databases that no test of this process uses now, with their connections. */
const unused: (TestDatabase & { readonly knex: Knex })[] = [];

/**
 * Prepares a database for one test, which gets the connections of an earlier one. So a test that
 * gives them other settings needs a database of its own (`openTestDatabase`).
 */
export async function reuseTestDatabase(
  atEnd: (end: () => Promise<void>) => void,
): Promise<{ readonly url: string; readonly knex: Knex }> {
  const database = unused.pop() ?? (await openReusable());
  atEnd(async () => {
    database.knex.removeAllListeners();
    if (await emptyDatabase(database.knex)) unused.push(database);
    else {
      await database.knex.destroy();
      await database.release();
    }
  });
  return database;
}

async function openReusable() {
  const database = await createTestDatabase();
  return { ...database, knex: createTestKnex(database.url, { poolSize: 20, applicationName }) };
}
