import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import pg from 'pg';
import { createKnex } from '../../src/db/knex.js';
import { citusUrl, createDistributed, dropDistributed } from './citus-databases.js';
import { applicationName, emptyDatabase, rememberNew } from './empty-database.js';
import { sandboxPart } from './sandbox-parts.js';
import { migrateTo, type Partitioned } from './template-database.js';

/** A database of which a test has the only use. */
export interface TestDatabase {
  readonly url: string;
  /** Empties it for another test. If that is not possible, it is dropped with its connections. */
  release(): Promise<void>;
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

/** URLs of databases that this process has emptied. */
const emptied: string[] = [];

/**
 * Returns a database with only the schema and the reference data of the migrations: one that an
 * earlier test has used and that was emptied, or else a copy of one that was migrated once in the
 * run. A copy takes ten times as long.
 *
 * @example
 * const database = await createTestDatabase();
 * const knex = createKnex(database.url);
 * afterAll(async () => {
 *   await knex.destroy();
 *   await database.release();
 * });
 */
export async function createTestDatabase({
  empty = false,
  encoding = 'UTF8',
  partitions,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  if (empty || partitions) {
    const url = await createFrom('template0', encoding);
    if (partitions) await migrateTo(url, partitions);
    return { url, release: () => dropDatabase(url) };
  }
  const url = emptied.pop() ?? (await copyTemplate());
  return {
    url,
    async release() {
      if (await withKnex(url, emptyDatabase)) emptied.push(url);
      else await dropDatabase(url);
    },
  };
}

async function copyTemplate(): Promise<string> {
  if (citusUrl !== undefined) {
    const url = await createDistributed(citusUrl, newName());
    await withKnex(url, rememberNew);
    return url;
  }
  const { template } = await sandboxPart('database');
  const url = await createFrom(template);
  await withKnex(url, rememberNew);
  return url;
}

async function createFrom(template: string, encoding = 'UTF8'): Promise<string> {
  const { url } = await sandboxPart('database');
  const own = new URL(url);
  own.pathname = newName();
  const name = own.pathname.slice(1);
  // Copying the files takes half the CPU time of the default, which copies through the log.
  await command(
    url,
    `create database ${name} template ${template} encoding '${encoding}' strategy file_copy`,
  );
  for (const [setting, value] of Object.entries(defaults)) {
    await command(url, `alter database ${name} set ${setting} = '${value}'`);
  }
  return own.href;
}

const newName = () => `test_${randomUUID().replaceAll('-', '')}`;

async function dropDatabase(own: string): Promise<void> {
  if (citusUrl !== undefined && new URL(own).host === new URL(citusUrl).host)
    return dropDistributed(citusUrl, own);
  const { url } = await sandboxPart('database');
  await command(url, `drop database if exists ${new URL(own).pathname.slice(1)} with (force)`);
}

async function withKnex<Result>(
  url: string,
  use: (knex: Knex) => Promise<Result>,
): Promise<Result> {
  const knex = createKnex(url, { poolSize: 1, applicationName });
  try {
    return await use(knex);
  } finally {
    await knex.destroy();
  }
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
