/** Queries of the operator commands, which see the customers of all firms. */

import type { Knex } from 'knex';
import { formatEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { nextUpdate } from './customer-record.js';

interface ListedCustomer {
  readonly id: string;
  readonly firmId: string;
  readonly enterpriseNumber: string;
  readonly name: string;
  readonly isConfidential: boolean;
}

/** Returns the customers of a firm, or of all firms, that are not archived, by firm and name. */
export async function listCustomers(
  knex: Knex,
  firmId: string | undefined,
): Promise<ListedCustomer[]> {
  const { rows } = await knex.raw<{ rows: ListedCustomer[] }>(
    `select id, firm_id as "firmId", enterprise_number as "enterpriseNumber", name,
            is_confidential as "isConfidential"
       from customers
      where archived_on is null and firm_id = coalesce(?, firm_id)
      order by firm_id, name_sort, id`,
    [firmId ?? null],
  );
  return rows.map((row) => ({
    ...row,
    enterpriseNumber: formatEnterpriseNumber(row.enterpriseNumber),
  }));
}

/**
 * Makes a customer confidential or no longer confidential (D-18).
 *
 * @returns false if there is no such customer or it is archived
 */
export async function setConfidential(
  knex: Knex,
  customerId: string,
  isConfidential: boolean,
): Promise<boolean> {
  const { rowCount } = await knex.raw<{ rowCount: number }>(
    `update customers c
        set updated_on = case when c.is_confidential = :isConfidential then c.updated_on
                              else ${nextUpdate} end,
            is_confidential = :isConfidential
      where c.id = :customerId and c.archived_on is null
      returning c.id`,
    { customerId, isConfidential },
  );
  return rowCount > 0;
}
