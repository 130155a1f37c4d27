import { setMaxListeners } from 'node:events';
import type { Knex } from 'knex';
import { createKnex } from './knex.js';
import { pendingMigrations } from './migrate.js';

/** How long statements under way may take when the database is closed, in ms, until they are cut. */
const CLOSE_MS = 3_000;

/** A database that is ready for the service. */
export interface OpenDatabase {
  readonly knex: Knex;
  /** Where it is, for what keeps connections of its own; with its password. */
  readonly url: string;
  /** Closes the connections. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
}

/**
 * Opens the database of the service. A mere start never changes its schema.
 *
 * @throws Error when it cannot be reached, or when migrations are pending
 */
export async function openDatabase({
  databaseUrl,
  databasePoolSize,
}: DatabaseOptions): Promise<OpenDatabase> {
  const connections = connect(databaseUrl, databasePoolSize);
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
