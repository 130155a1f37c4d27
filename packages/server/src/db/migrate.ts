import type { Knex } from 'knex';
import { allMigrations } from './migrations/all-migrations.js';
import type { Migration } from './migrations/migration.js';
import { inTransaction } from './transaction.js';

/** The advisory lock that a process holds while it migrates; the number is arbitrary. */
const LOCK = 4_237_190_553;

/**
 * Runs the pending migrations in one transaction, so a migration that fails leaves the database as it
 * was. Concurrent processes wait for each other, and the later ones find no pending migration.
 *
 * @throws Error if a migration fails, if the database is newer than this program, or if an interrupted
 *   migration tool left its lock in the database
 */
export async function migrate(
  knex: Knex,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  try {
    await inTransaction(knex, async (trx) => {
      await trx.raw('set local statement_timeout = 0; set local lock_timeout = 0');
      await trx.raw('select pg_advisory_xact_lock(?)', [LOCK]);
      await refuseNewer(trx, migrations);
      await trx.migrate.latest({ migrationSource: sourceOf(migrations) });
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'MigrationLocked') {
      throw new Error(
        'The database is locked by a migration tool that was interrupted. ' +
          'Check that the schema is complete, then run: update knex_migrations_lock set is_locked = 0',
        { cause: error },
      );
    }
    throw error;
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

async function refuseNewer(knex: Knex, migrations: readonly Migration[]): Promise<void> {
  const unknown = await newerMigrations(knex, migrations);
  if (unknown.length > 0) {
    throw new Error(
      `The database is newer than this program: it has the migrations ${unknown.join(', ')}. Run the newer program.`,
    );
  }
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
