import type { Knex } from 'knex';

/**
 * Makes a customer confidential, or no longer so (D-18): only the operator may, across firms.
 * False when there is no such customer or it is archived.
 */
export async function setConfidential(
  knex: Knex,
  customerId: string,
  isConfidential: boolean,
): Promise<boolean> {
  const found = await knex('customers').where({ id: customerId, archived_on: null }).first('id');
  await knex('customers')
    .where({ id: customerId, archived_on: null, is_confidential: !isConfidential })
    .update({ is_confidential: isConfidential, updated_on: knex.fn.now() });
  return found !== undefined;
}
