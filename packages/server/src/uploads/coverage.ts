import type { Knex } from 'knex';

/** The account or payroll provider of a document. */
export interface CoveredLink {
  readonly linkId: string;
  readonly firmId: string;
}

/** The mandates that deliveries depend on. The feature `mandates` implements it. */
export interface Coverage {
  /** Returns the ids of the links whose mandate permits deliveries to be listed (D-28, D-66). */
  coveredLinks(knex: Knex, links: readonly CoveredLink[]): Promise<ReadonlySet<string>>;
  /** The same, and locks their mandates until the transaction ends. */
  lockCoveredLinks(
    trx: Knex.Transaction,
    links: readonly CoveredLink[],
  ): Promise<ReadonlySet<string>>;
  /** Finishes the mandates of these links that were waiting for their first delivery. */
  delivered(trx: Knex.Transaction, links: readonly CoveredLink[]): Promise<void>;
}
