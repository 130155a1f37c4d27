import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createKnex } from '../../src/db/knex.js';
import { migrate } from '../../src/db/migrate.js';
import { startSandboxPart } from './sandbox-part.js';
import { dumpSchema } from './schema-dump.js';

// Writes src/db/schema.sql from a freshly migrated database.

const schema = fileURLToPath(new URL('../../src/db/schema.sql', import.meta.url));
const database = await startSandboxPart('database');
const knex = createKnex(database.settings['DATABASE_URL'] ?? '');
try {
  await migrate(knex);
  await writeFile(schema, await dumpSchema(knex));
} finally {
  await knex.destroy();
  await database.stop();
}
