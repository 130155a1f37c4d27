import type { Knex } from 'knex';

/** What files arrived for, by the ids of the links of customers. */
export interface ReceivedLinks {
  readonly bankAccountIds: readonly string[];
  readonly payrollLinkIds: readonly string[];
}

/** What follows the arrival of files, in its transaction: mandates are finished. */
export interface FileFollower {
  /** Files arrived, for the first time or again. */
  received(trx: Knex.Transaction, links: ReceivedLinks): Promise<void>;
}
