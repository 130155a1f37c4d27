import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { allMigrations } from './migrations/all-migrations.js';
import type { Migration } from './migrations/migration.js';
import { inTransaction } from './transaction.js';

/** The advisory lock that a process holds while it migrates; the number is arbitrary. */
const LOCK = 4_237_190_553;

/** How long a migration waits for a lock, in ms. Calls wait behind it, and fail after 5 seconds. */
const LOCK_WAIT_MS = 1_000;
/** The pause before the next attempt, in which the calls that waited go on, in ms. */
const PAUSE_MS = 2_000;
/** The number of attempts to get all locks. */
const ATTEMPTS = 100;
/** SQLSTATEs of a migration that got no lock: lock timeout, deadlock. */
const lockStates = new Set(['55P03', '40P01']);

/**
 * Runs the pending migrations in one transaction, so a migration that fails leaves the database as it
 * was. Concurrent processes wait for each other, and the later ones find no pending migration.
 *
 * The service runs meanwhile (D-64). If a transaction keeps a lock, all migrations are rolled back and
 * tried again later.
 *
 * Does nothing on the database of a newer release, because this release runs on it too.
 *
 * @throws Error if a migration fails, if it gets no lock for minutes, if the database has migrations that
 *   this program does not know and lacks others, or if an interrupted migration tool left its lock in it
 */
export async function migrate(
  knex: Knex,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(knex, (trx) => runPending(trx, migrations));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error.name === 'MigrationLocked') {
        throw new Error(
          'The database is locked by a migration tool that was interrupted. ' +
            'Check that the schema is complete, then run: update knex_migrations_lock set is_locked = 0',
          { cause: error },
        );
      }
      if (!('code' in error) || !lockStates.has(String(error.code))) throw error;
      if (attempt === ATTEMPTS) {
        throw new Error(
          'Another session keeps a lock. Nothing has changed. ' +
            'Find the session by its xact_start in pg_stat_activity, and migrate again',
          { cause: error },
        );
      }
    }
    await pause(PAUSE_MS);
  }
}

async function runPending(trx: Knex.Transaction, migrations: readonly Migration[]): Promise<void> {
  // The idle timeout releases the locks of a machine that is gone.
  await trx.raw(
    `set local statement_timeout = 0; set local lock_timeout = 0;
     set local idle_in_transaction_session_timeout = '30s'`,
  );
  await trx.raw('select pg_advisory_xact_lock(?)', [LOCK]);
  await trx.raw(`set local lock_timeout = ${LOCK_WAIT_MS}`);
  const newer = await newerMigrations(trx, migrations);
  if (newer.length === 0) {
    await trx.migrate.latest({ migrationSource: sourceOf(migrations) });
    return;
  }
  const pending = await pendingMigrations(trx, migrations);
  if (pending.length > 0) {
    throw new Error(
      `The database has the migrations ${newer.join(', ')}, which this program does not know, ` +
        `and lacks ${pending.join(', ')}. Run the newest release.`,
    );
  }
}

/** Returns the names of the pending migrations, in order. Changes nothing. */
export async function pendingMigrations(
  knex: Knex,
  migrations: readonly Migration[] = allMigrations,
): Promise<string[]> {
  const done = await doneMigrations(knex);
  return migrations.map(({ name }) => name).filter((name) => !done.includes(name));
}

async function doneMigrations(knex: Knex): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { present: boolean }[] }>(
    `select to_regclass('knex_migrations') is not null as present`,
  );
  return rows[0]?.present ? knex('knex_migrations').orderBy('id').pluck<string[]>('name') : [];
}

/** Returns the names of the migrations that only a newer program knows. Changes nothing. */
export async function newerMigrations(
  knex: Knex,
  migrations: readonly Migration[] = allMigrations,
): Promise<string[]> {
  const done = await doneMigrations(knex);
  return done.filter((name) => !migrations.some((known) => known.name === name));
}

/** Returns the list in the form of knex. Rollbacks, which knex requires, are refused. */
function sourceOf(migrations: readonly Migration[]): Knex.MigrationSource<Migration> {
  return {
    getMigrations: async () => [...migrations],
    getMigrationName: ({ name }) => name,
    getMigration: async ({ name, up }) => ({
      up,
      down: () => Promise.reject(new Error(`${name} cannot be undone; restore a backup`)),
    }),
  };
}
