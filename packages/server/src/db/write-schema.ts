import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startTemporaryPostgres } from './embedded/temporary-postgres.js';
import { createKnex } from './knex.js';
import { migrate } from './migrate.js';
import { dumpSchema } from './schema-dump.js';

// Writes schema.sql beside this file, from a database that has just been migrated.

const postgres = await startTemporaryPostgres();
const knex = createKnex(postgres.url);
try {
  await migrate(knex);
  await writeFile(fileURLToPath(new URL('schema.sql', import.meta.url)), await dumpSchema(knex));
} finally {
  await knex.destroy();
  await postgres.stop();
}
