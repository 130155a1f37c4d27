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
  const { rowCount } = await knex.raw<{ rowCount: number }>(
    `update customers
     set updated_on = case when is_confidential = :isConfidential then updated_on else now() end,
         is_confidential = :isConfidential
     where id = :customerId and archived_on is null
     returning id`,
    { customerId, isConfidential },
  );
  return rowCount > 0;
}
