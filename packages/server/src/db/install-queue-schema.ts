import { Logger, runMigrations } from 'graphile-worker';
import type { Knex } from 'knex';
import pg from 'pg';

/**
 * Installs or upgrades the schema of graphile-worker, within the given transaction.
 *
 * The installer takes a pool and commits after each step. It gets one with the connection of the
 * transaction, on which its transactions become savepoints. So the migration stays atomic.
 *
 * A version of the library with new steps needs a new migration that calls this function. A test
 * compares a migrated database with the steps of the library.
 */
export async function installQueueSchema(trx: Knex): Promise<void> {
  const connection: pg.Client = await trx.client.acquireConnection();
  await runMigrations({
    pgPool: poolOf(connection),
    schema: 'graphile_worker',
    logger: new Logger(() => () => {}),
  });
}

/** The savepoint statements that replace the transaction statements of the installer. */
const savepoints: Readonly<Record<string, string>> = {
  begin: 'savepoint step',
  commit: 'release savepoint step',
  rollback: 'rollback to savepoint step',
};

/** Returns a pool that consists of one open connection, which it never closes. */
function poolOf(connection: pg.Client): pg.Pool {
  const client: pg.PoolClient = Object.assign(Object.create(connection), {
    release() {},
    async query(...parameters: unknown[]) {
      const [text] = parameters;
      const savepoint = typeof text === 'string' ? savepoints[text] : undefined;
      if (savepoint !== undefined) return connection.query(savepoint);
      // The installer first reads a table that may be missing, which must not abort the
      // transaction.
      await connection.query('savepoint statement');
      try {
        const result = await Reflect.apply(connection.query, connection, parameters);
        await connection.query('release savepoint statement');
        return result;
      } catch (error) {
        await connection.query('rollback to savepoint statement');
        throw error;
      }
    },
  });
  return Object.assign(new pg.Pool({ max: 1 }), { connect: async () => client });
}
