import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { sandboxPart } from './sandbox-parts.js';
import { migrateTo, type Partitioned } from './template-database.js';

/** A database for one test file. */
export interface TestDatabase {
  readonly url: string;
  /** Removes it, even if there are still connections. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** True for a database without tables, instead of one with all migrations. */
  readonly empty?: boolean;
  /** The tables that are partitioned; none by default. */
  readonly partitions?: Partitioned;
  /** The encoding of an empty database; UTF8 by default. */
  readonly encoding?: string;
}

/** Settings of PostgreSQL of every database, which `odd-settings.prove.ts` sets. */
const defaults: Readonly<Record<string, string>> = JSON.parse(
  process.env['TEST_DATABASE_SETTINGS'] ?? '{}',
);

/**
 * Creates a database with only the schema and the reference data of the migrations. It takes tens
 * of milliseconds, because it is a copy of one that was migrated once in the run.
 *
 * @example
 * const database = await createTestDatabase();
 * const knex = createKnex(database.url);
 * afterAll(async () => {
 *   await knex.destroy();
 *   await database.drop();
 * });
 */
export async function createTestDatabase({
  empty = false,
  encoding = 'UTF8',
  partitions,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { url, template } = await sandboxPart('database');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Copying the files takes half the CPU time of the default, which copies through the log.
  const source = empty || partitions ? 'template0' : template;
  await command(
    url,
    `create database ${name} template ${source} encoding '${encoding}' strategy file_copy`,
  );
  for (const [setting, value] of Object.entries(defaults)) {
    await command(url, `alter database ${name} set ${setting} = '${value}'`);
  }
  const own = new URL(url);
  own.pathname = name;
  if (partitions) await migrateTo(own.href, partitions);
  return {
    url: own.href,
    drop: () => command(url, `drop database if exists ${name} with (force)`),
  };
}

async function command(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
