import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import { createKnex, type KnexOptions } from './knex.js';
import { pendingMigrations } from './migrate.js';
import { isDistributed } from './nodes.js';
import { requireSettings, SettingsError } from './session-settings.js';

/** How long `close` waits for running statements before it closes their connections, in ms. */
const CLOSE_MS = 3_000;

/** A database whose schema is up to date. */
export interface OpenDatabase {
  readonly knex: Knex;
  /** The URL, with its password, for parts that keep their own connections. */
  readonly url: string;
  /** True if the firms are on the nodes of a cluster (D-72). */
  readonly isDistributed: boolean;
  close(): Promise<void>;
}

/** Returns the refusal of a replica, which may lack the moves of firms between the nodes (D-72). */
export const noReplica = () =>
  new SettingsError(
    'Lists cannot be read from a replica if the firms are on several database servers.',
    'Remove DATABASE_READ_URL.',
  );

/**
 * Opens the database of the service. It never changes the schema.
 *
 * @throws Error if the database cannot be reached, migrations are pending, a pooler gives
 *   connections with other settings, or there is a replica of a distributed database (D-72)
 */
export async function openDatabase({
  databaseUrl: url,
  databasePoolSize: poolSize,
  databaseReadUrl: readUrl,
  ...options
}: {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly databaseReadUrl?: string | undefined;
} & Pick<
  KnexOptions,
  'isTraced' | 'applicationName' | 'onConnectionFailure'
>): Promise<OpenDatabase> {
  // Loading the program may have blocked the event loop for seconds: without this pause the
  // connection would time out at once.
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
    await requireSettings(knex);
    const pending = await pendingMigrations(knex);
    if (pending.length > 0) {
      throw new Error(
        `The migrations ${pending.join(', ')} are pending: run \`adx-server migrate\` first`,
      );
    }
    const database = { knex, url, isDistributed: await isDistributed(knex), close };
    if (database.isDistributed && readUrl !== undefined) throw noReplica();
    return database;
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Sends a statement that writes nothing, and that PostgreSQL refuses where nothing can be written.
 *
 * @throws Error with a code instead of the addresses and names in the message of the driver,
 *   because anybody may see it
 */
export async function checkDatabase(knex: Knex): Promise<void> {
  try {
    await knex.raw('update job_workers set beat_on = beat_on where false');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
    const found = code === '25006' ? 'is read-only' : 'does not respond';
    throw new Error(`The database ${found}${code === undefined ? '' : ` (${code})`}`, { cause });
  }
}
