import type { Knex } from 'knex';

/** A change of the schema. Each runs once, in a transaction of its own; none is undone. */
export interface Migration {
  /** Recorded in the database, so it must not change after a release. */
  readonly name: string;
  /** Runs first. Tests read it: what changes tables stands here. */
  readonly sql: string;
  /** Does what SQL alone does not. */
  up?(trx: Knex): Promise<void>;
}
