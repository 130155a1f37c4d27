import type { Knex } from 'knex';

/** One step of the schema. Steps go forward only; each runs once, in the transaction of all. */
export interface Migration {
  /** Recorded in the database: never changed once released. */
  readonly name: string;
  up(trx: Knex): Promise<void>;
}
