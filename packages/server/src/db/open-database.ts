import type { Knex } from 'knex';
import type { Config } from '../config.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { createKnex } from './knex.js';
import { migrate, pendingMigrations } from './migrate.js';

/** A database that is ready for the service. */
export interface OpenDatabase {
  readonly knex: Knex;
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
  const knex = createKnex(url, { poolSize: databasePoolSize });
  try {
    const pending = await pendingMigrations(knex);
    if (pending.length > 0) {
      throw new Error(
        `The database lacks the migrations ${pending.join(', ')}: run \`adx-server migrate\` first`,
      );
    }
  } catch (error) {
    await knex.destroy();
    throw error;
  }
  return { knex, close: () => knex.destroy() };
}

async function openEmbedded({ dataDir, databasePoolSize }: Config): Promise<OpenDatabase> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  const knex = createKnex(postgres.url, { poolSize: databasePoolSize });
  const close = async () => {
    await knex.destroy();
    await postgres.stop();
  };
  try {
    await migrate(knex);
  } catch (error) {
    await close();
    throw error;
  }
  return { knex, close };
}
