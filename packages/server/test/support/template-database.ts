import pg from 'pg';
import { createKnex } from '../../src/db/knex.js';
import { migrate } from '../../src/db/migrate.js';
import { allMigrations } from '../../src/db/migrations/all-migrations.js';
import { inPartitions } from '../../src/db/partitions.js';

/**
 * Creates a database with all migrations on a server, to be copied, and returns its name. Its large
 * tables have as many partitions as `TEST_DATABASE_PARTITIONS` says; none by default.
 */
export async function createTemplate(databaseUrl: string): Promise<string> {
  const template = 'adx_template';
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`create database ${template}`);
    const templateUrl = new URL(databaseUrl);
    templateUrl.pathname = template;
    const count = Number(process.env['TEST_DATABASE_PARTITIONS'] ?? 0);
    await migrateTo(templateUrl.href, count > 0 ? { count } : undefined);
    // A database with open connections cannot be copied.
    await client.query(`alter database ${template} allow_connections false`);
  } finally {
    await client.end();
  }
  return template;
}

/** The number of partitions of tables, by default of the large ones. */
export interface Partitioned {
  readonly count: number;
  readonly tables?: readonly string[];
}

/** Migrates a database, whose tables may have partitions. */
export async function migrateTo(url: string, partitioned?: Partitioned): Promise<void> {
  const knex = createKnex(url);
  const migrations =
    partitioned === undefined
      ? allMigrations
      : inPartitions(allMigrations, partitioned.count, partitioned.tables);
  try {
    await migrate(knex, migrations);
  } finally {
    await knex.destroy();
  }
}
