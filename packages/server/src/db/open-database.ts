import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import { createKnex, type KnexOptions } from './knex.js';
import { pendingMigrations } from './migrate.js';

/** How long `close` waits for running statements before it closes their connections, in ms. */
const CLOSE_MS = 3_000;

/** A database whose schema is up to date. */
export interface OpenDatabase {
  readonly knex: Knex;
  /** The URL, with its password, for parts that keep their own connections. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Opens the database of the service. It never changes the schema.
 *
 * @throws Error if the database cannot be reached or migrations are pending
 */
export async function openDatabase({
  databaseUrl: url,
  databasePoolSize: poolSize,
  ...options
}: {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
} & Pick<
  KnexOptions,
  'isTraced' | 'applicationName' | 'onConnectionFailure'
>): Promise<OpenDatabase> {
  // A timer counts from the last turn of the event loop. Loading the program may have blocked it for
  // seconds, so without this pause the connection would time out at once.
  await setImmediate();
  const closing = new AbortController();
  // Each connection adds a listener; the size of the pool limits their number.
  setMaxListeners(0, closing.signal);
  const knex = createKnex(url, { ...options, poolSize, signal: closing.signal });
  async function close(): Promise<void> {
    const timer = setTimeout(() => closing.abort(), CLOSE_MS);
    await knex.destroy();
    clearTimeout(timer);
  }
  try {
    const pending = await pendingMigrations(knex);
    if (pending.length > 0) {
      throw new Error(
        `The migrations ${pending.join(', ')} are pending: run \`adx-server migrate\` first`,
      );
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { knex, url, close };
}

/**
 * @throws Error if the database does not respond. Its message is shown to anybody, so it has a code
 * instead of the addresses and names in the message of the driver, which is the cause.
 */
export async function checkDatabase(knex: Knex): Promise<void> {
  try {
    await knex.raw('select 1');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    throw new Error(`The database does not respond${code}`, { cause });
  }
}
