import { onTestFinished } from 'vitest';
import { createTestDatabase } from '../support/database.js';
import { createTestKnex } from '../support/knex-for-file.js';

/** Returns a database without a schema, until the end of the test. */
export async function emptyDatabase() {
  const database = await createTestDatabase({ empty: true });
  const knex = createTestKnex(database.url);
  onTestFinished(async () => {
    await knex.destroy();
    await database.drop();
  });
  return { url: database.url, knex };
}
