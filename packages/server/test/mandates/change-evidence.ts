import type { Knex } from 'knex';

/**
 * Changes or deletes stored evidence, which the database refuses as long as its trigger is enabled.
 */
export async function changeEvidence(
  knex: Knex,
  change: (evidence: Knex.QueryBuilder) => PromiseLike<unknown>,
): Promise<void> {
  await knex.raw('alter table signature_evidence disable trigger keep_evidence');
  await change(knex('signature_evidence'));
  await knex.raw('alter table signature_evidence enable trigger keep_evidence');
}
