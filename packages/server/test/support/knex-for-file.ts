import type { Knex } from 'knex';
import { afterAll } from 'vitest';
import { createKnex, type KnexOptions } from '../../src/db/knex.js';
import { createTestDatabase, type TestDatabaseOptions } from './database.js';

/**
 * Creates a connection pool that also waits patiently on a busy machine, on which the thread of a test
 * may be held up for longer than the timeouts of the service.
 */
export function createTestKnex(url: string, options: KnexOptions = {}): Knex {
  const patience = 120_000;
  return createKnex(url, {
    ...{ connectionTimeoutMs: patience, statementTimeoutMs: patience, lockTimeoutMs: patience },
    ...options,
  });
}

/** Connections to a database of the calling test file's own, removed when the file is done. */
export async function knexForFile(options: TestDatabaseOptions & KnexOptions = {}): Promise<Knex> {
  const database = await createTestDatabase(options);
  const knex = createTestKnex(database.url, options);
  afterAll(async () => {
    await knex.destroy();
    await database.drop();
  });
  return knex;
}
