import type { Knex } from 'knex';
import { afterAll } from 'vitest';
import { createKnex, type KnexOptions } from '../../src/db/knex.js';
import { createTestDatabase, type TestDatabaseOptions } from './database.js';

/** Connections to a database of the calling test file's own, removed when the file is done. */
export async function knexForFile(options: TestDatabaseOptions & KnexOptions = {}): Promise<Knex> {
  const database = await createTestDatabase(options);
  const knex = createKnex(database.url, options);
  afterAll(async () => {
    await knex.destroy();
    await database.drop();
  });
  return knex;
}
