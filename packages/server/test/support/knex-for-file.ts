import type { Knex } from 'knex';
import { afterAll } from 'vitest';
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
 * Creates a database for the calling test file, which is removed when the file is done, and
 * connects to it.
 */
export async function knexForFile(options: TestDatabaseOptions & KnexOptions = {}): Promise<Knex> {
  const database = await createTestDatabase(options);
  const knex = createTestKnex(database.url, options);
  afterAll(async () => {
    await knex.destroy();
    await database.drop();
  });
  return knex;
}
