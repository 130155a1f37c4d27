import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startTemporaryPostgres } from '../../src/db/embedded/temporary-postgres.js';
import { createKnex } from '../../src/db/knex.js';
import { migrate } from '../../src/db/migrate.js';

/** Where the PostgreSQL of a test run is, and the database in it that has had all migrations. */
export interface DatabaseServer {
  /** Of a database to give commands in; those of the tests are beside it. */
  readonly url: string;
  readonly template: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: DatabaseServer;
  }
}

const TEMPLATE = 'adx_template';

/** Starts one PostgreSQL for the whole run, with one migrated database to copy. */
export default async function startDatabaseServer(
  project: TestProject,
): Promise<() => Promise<void>> {
  const postgres = await startTemporaryPostgres();
  try {
    await prepareTemplate(postgres.url);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  project.provide('databaseServer', { url: postgres.url, template: TEMPLATE });
  return () => postgres.stop();
}

async function prepareTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${TEMPLATE}`);
    const templateUrl = new URL(url);
    templateUrl.pathname = TEMPLATE;
    const knex = createKnex(templateUrl.href);
    try {
      await migrate(knex);
    } finally {
      await knex.destroy();
    }
    // A database that is connected to cannot be copied.
    await client.query(`alter database ${TEMPLATE} allow_connections false`);
  } finally {
    await client.end();
  }
}
