import pg from 'pg';
import { createKnex } from '../../src/db/knex.js';
import { migrate } from '../../src/db/migrate.js';

/** Creates a database with all migrations on a server, to be copied, and returns its name. */
export async function createTemplate(databaseUrl: string): Promise<string> {
  const template = 'adx_template';
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`create database ${template}`);
    const templateUrl = new URL(databaseUrl);
    templateUrl.pathname = template;
    const knex = createKnex(templateUrl.href);
    try {
      await migrate(knex);
    } finally {
      await knex.destroy();
    }
    // A database with open connections cannot be copied.
    await client.query(`alter database ${template} allow_connections false`);
  } finally {
    await client.end();
  }
  return template;
}
