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
const ATTEMPTS = 100;
/** SQLSTATEs of a migration that got no lock: lock timeout, deadlock. */
const lockStates = new Set(['55P03', '40P01']);

/** How to create a database for the schema, whose sort orders are those of Unicode. */
export const databaseAdvice =
  "Create it with `create database adx template template0 encoding 'UTF8' locale 'C'`.";

export async function readEncoding(knex: Knex): Promise<string> {
  const { rows } = await knex.raw<{ rows: [{ server_encoding: string }] }>('show server_encoding');
  return rows[0].server_encoding;
}

/**
 * Runs the pending migrations, each in a transaction of its own, so that one that fails changes
 * nothing, and none holds its locks while the next one waits. Concurrent processes run one after
 * the other. The service runs meanwhile (D-64), so a migration that gets no lock is tried again
 * later. Does nothing on the database of a newer release, because this release runs on it too.
 *
 * @param report - called with a sentence when a migration begins to wait for something
 * @throws Error if the database is not in UTF-8, if a migration fails or gets no lock for minutes,
 *   if the database has migrations that this program does not know and lacks others, or if an
 *   interrupted migration tool left its lock in it
 */
export async function migrate(
  knex: Knex,
  migrations: readonly Migration[] = allMigrations,
  report: (sentence: string) => void = () => {},
): Promise<void> {
  const encoding = await readEncoding(knex);
  if (encoding !== 'UTF8') {
    throw new Error(
      `The encoding of the database is ${encoding} instead of UTF8. ${databaseAdvice}`,
    );
  }
  let attempts = 0;
  let reported: string | undefined;
  for (;;) {
    try {
      if (!(await inTransaction(knex, (trx) => runNext(trx, migrations)))) return;
      attempts = 0;
    } catch (error) {
      requireLockFailure(error);
      attempts += 1;
      const waiting = await describeWait(knex, migrations);
      if (attempts === ATTEMPTS) {
        throw new Error(`${waiting} Migrate again when it has ended.`, { cause: error });
      }
      if (waiting !== reported) report(`${waiting} Trying again for some minutes.`);
      reported = waiting;
      await pause(PAUSE_MS);
    }
  }
}

/** @throws the error, unless it says that a migration got no lock */
function requireLockFailure(error: unknown): void {
  if (!(error instanceof Error)) throw error;
  if (error.name === 'MigrationLocked') {
    throw new Error(
      'The database is locked by a migration tool that was interrupted. ' +
        'Check that the schema is complete, then run: update knex_migrations_lock set is_locked = 0',
      { cause: error },
    );
  }
  if (!('code' in error) || !lockStates.has(String(error.code))) throw error;
}

/**
 * Names the session that is waited for: another `migrate`, or that with the oldest transaction.
 * PostgreSQL does not tell a statement whose lock it waited for.
 */
async function describeWait(knex: Knex, migrations: readonly Migration[]): Promise<string> {
  const [next = '`migrate`'] = await pendingMigrations(knex, migrations);
  const { rows } = await knex.raw<{ rows: { pid: number; name: string; migrates: boolean }[] }>(
    `select pid, coalesce(nullif(application_name, ''), backend_type, 'unknown') as name, migrates
       from pg_stat_activity, lateral (
         select exists (select from pg_locks l where l.pid = pg_stat_activity.pid and granted
                           and locktype = 'advisory' and objid::bigint = ?)) as lock (migrates)
      where datname = current_database() and pid <> pg_backend_pid()
        and (migrates or xact_start is not null)
      order by migrates desc, xact_start limit 1`,
    [LOCK],
  );
  const [session] = rows;
  if (session === undefined) return `${next} waits for a lock.`;
  const { pid, name, migrates } = session;
  return migrates
    ? `${next} waits for another \`migrate\`, process ${pid} of PostgreSQL.`
    : `${next} waits for a lock. The oldest transaction is that of process ${pid} of PostgreSQL (${name}).`;
}

/** Runs the first pending migration. Returns false if there is none. */
async function runNext(trx: Knex.Transaction, migrations: readonly Migration[]): Promise<boolean> {
  // The idle timeout releases the locks of a machine that is gone. Behind a connection pooler each
  // transaction may get another session, which has the settings of its role.
  await trx.raw(
    `set local search_path = public; set local statement_timeout = 0; set local lock_timeout = ${LOCK_WAIT_MS};
     set local idle_in_transaction_session_timeout = '30s'`,
  );
  await trx.raw('select pg_advisory_xact_lock(?)', [LOCK]);
  const newer = await newerMigrations(trx, migrations);
  if (newer.length === 0) {
    const [, applied]: [number, string[]] = await trx.migrate.up({
      migrationSource: sourceOf(migrations),
    });
    return applied.length > 0;
  }
  const pending = await pendingMigrations(trx, migrations);
  if (pending.length > 0) {
    throw new Error(
      `The database has the migrations ${newer.join(', ')}, which this program does not know, ` +
        `and lacks ${pending.join(', ')}. Run the newest release.`,
    );
  }
  return false;
}

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
    getMigration: async ({ name, sql, up }) => ({
      async up(trx) {
        await trx.raw(sql);
        await up?.(trx);
      },
      down: () => Promise.reject(new Error(`${name} cannot be undone; restore a backup`)),
    }),
  };
}
