import { Logger, runMigrations } from 'graphile-worker';
import type { Knex } from 'knex';
import pg from 'pg';

/**
 * Installs the schema of graphile-worker, or brings it up to the library's version, as part of the
 * transaction it is given.
 *
 * The library's installer wants a pool, and commits after each of its steps. It is given one
 * connection, that of the transaction, on which its own transactions are savepoints. So migrating
 * stays all or nothing, and processes that migrate at the same time wait for each other in this part
 * too. A version of the library that brings new steps needs a new migration that calls this; a test
 * holds the steps of a migrated database against those of the library.
 */
export async function installQueueSchema(trx: Knex): Promise<void> {
  const connection: pg.Client = await trx.client.acquireConnection();
  await runMigrations({
    pgPool: poolOf(connection),
    schema: 'graphile_worker',
    logger: new Logger(() => () => {}),
  });
}

/** The statements of the installer's own transactions, and what stands for them inside another. */
const savepoints: Readonly<Record<string, string>> = {
  begin: 'savepoint step',
  commit: 'release savepoint step',
  rollback: 'rollback to savepoint step',
};

/** A pool of one connection that is already there: it opens none and closes none. */
function poolOf(connection: pg.Client): pg.Pool {
  const client: pg.PoolClient = Object.assign(Object.create(connection), {
    release() {},
    async query(...parameters: unknown[]) {
      const [text] = parameters;
      const savepoint = typeof text === 'string' ? savepoints[text] : undefined;
      if (savepoint !== undefined) return connection.query(savepoint);
      // The installer's first look is at a table that may be missing: that must not end it all.
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
