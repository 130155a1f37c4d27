import type { Knex } from 'knex';
import { afterAll, type onTestFinished } from 'vitest';
import { createKnex, type KnexOptions } from '../../src/db/knex.js';
import { createTestDatabase, type TestDatabaseOptions } from './database.js';

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
