import pg from 'pg';
import { createKnex } from '../../src/db/knex.js';
import { migrate } from '../../src/db/migrate.js';
import { allMigrations } from '../../src/db/migrations/all-migrations.js';
import { inPartitions } from '../../src/db/partitions.js';

/**
 * Creates a database with all migrations on a server, to be copied, and returns its name. Its large
 * tables have as many partitions as `TEST_DATABASE_PARTITIONS` says, which `partitions.prove.ts`
 * sets.
 */
export async function createTemplate(databaseUrl: string): Promise<string> {
  const template = 'adx_template';
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`create database ${template}`);
    const templateUrl = new URL(databaseUrl);
    templateUrl.pathname = template;
    await migrateTo(templateUrl.href, Number(process.env['TEST_DATABASE_PARTITIONS'] ?? 0));
    // A database with open connections cannot be copied.
    await client.query(`alter database ${template} allow_connections false`);
  } finally {
    await client.end();
  }
  return template;
}

/** Migrates a database whose large tables have so many partitions; none if it is 0. */
export async function migrateTo(url: string, partitions: number): Promise<void> {
  const knex = createKnex(url);
  try {
    await migrate(knex, partitions > 0 ? inPartitions(allMigrations, partitions) : allMigrations);
  } finally {
    await knex.destroy();
  }
}
