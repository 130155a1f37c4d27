import type { Knex } from 'knex';

/** A change of the schema. Each runs once, in a transaction of its own; none is undone. */
export interface Migration {
  /** Recorded in the database, so it must not change after a release. */
  readonly name: string;
  up(trx: Knex): Promise<void>;
}

/** Returns a migration that runs SQL. */
export function sqlMigration(name: string, sql: string): Migration {
  return { name, up: (trx) => trx.raw(sql) };
}
