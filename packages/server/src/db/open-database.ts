import { setMaxListeners } from 'node:events';
import type { Knex } from 'knex';
import type { Config } from '../config.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { createKnex } from './knex.js';
import { migrate, pendingMigrations } from './migrate.js';

/** How long statements under way may take when the database is closed, in ms, until they are cut. */
const CLOSE_MS = 3_000;

/** A database that is ready for the service. */
export interface OpenDatabase {
  readonly knex: Knex;
  /** Where it is, for what keeps connections of its own; with its password. */
  readonly url: string;
  /** Closes the connections, and the embedded database where nobody else uses it. */
  close(): Promise<void>;
}

/**
 * Opens the database of `DATABASE_URL`, or the embedded one of the data folder. The embedded one is
 * migrated on the way; a database of your own is never changed by a mere start.
 *
 * @throws Error when it cannot be reached, or when migrations are pending
 */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  return config.databaseUrl === undefined
    ? openEmbedded(config)
    : openOwn(config, config.databaseUrl);
}

async function openOwn({ databasePoolSize }: Config, url: string): Promise<OpenDatabase> {
  const connections = connect(url, databasePoolSize);
  try {
    const pending = await pendingMigrations(connections.knex);
    if (pending.length > 0) {
      throw new Error(
        `The database lacks the migrations ${pending.join(', ')}: run \`adx-server migrate\` first`,
      );
    }
  } catch (error) {
    await connections.close();
    throw error;
  }
  return connections;
}

async function openEmbedded({ dataDir, databasePoolSize }: Config): Promise<OpenDatabase> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await migrateAt(postgres.url);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  const connections = connect(postgres.url, databasePoolSize);
  return {
    ...connections,
    async close() {
      await connections.close();
      await postgres.stop();
    },
  };
}

/** Over a connection of its own, as a migration may take longer than a statement of the service. */
async function migrateAt(url: string): Promise<void> {
  const knex = createKnex(url, { poolSize: 1, statementTimeoutMs: 0 });
  try {
    await migrate(knex);
  } finally {
    await knex.destroy();
  }
}

function connect(url: string, poolSize: number): OpenDatabase {
  const cut = new AbortController();
  // Every connection listens, and the pool says how many there are.
  setMaxListeners(0, cut.signal);
  const knex = createKnex(url, { poolSize, signal: cut.signal });
  return {
    knex,
    url,
    async close() {
      const timer = setTimeout(() => cut.abort(), CLOSE_MS);
      await knex.destroy();
      clearTimeout(timer);
    },
  };
}
