import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createKnex } from '../../src/db/knex.js';
import { migrate } from '../../src/db/migrate.js';
import { startSandboxPart } from './sandbox-part.js';

/** The PostgreSQL and the object storage of a test run. */
export interface SandboxParts {
  /** URL of a database for administrative commands. The test databases are on the same server. */
  readonly databaseUrl: string;
  /** Name of a database with all migrations, which is copied. */
  readonly template: string;
  /** The settings that lead to the object storage. */
  readonly storage: Readonly<Record<string, string>>;
}

declare module 'vitest' {
  interface ProvidedContext {
    sandboxParts: SandboxParts;
  }
}

const template = 'adx_template';

/** Starts one PostgreSQL, with a migrated database to copy, and one object storage for the whole run. */
export default async function startSandboxParts(
  project: TestProject,
): Promise<() => Promise<void>> {
  const database = await startSandboxPart('database');
  try {
    const { DATABASE_URL: databaseUrl = '' } = database.settings;
    const own = ['--port', '0', '--database', databaseUrl];
    const storage = await startSandboxPart('storage', ...own);
    try {
      await prepareTemplate(databaseUrl);
      const parts = { databaseUrl, template, storage: storage.settings };
      project.provide('sandboxParts', parts);
    } catch (error) {
      await storage.stop();
      throw error;
    }
    return async () => {
      await storage.stop();
      await database.stop();
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function prepareTemplate(databaseUrl: string): Promise<void> {
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
}
