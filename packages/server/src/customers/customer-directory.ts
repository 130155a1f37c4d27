import type { Knex } from 'knex';
import { formatEnterpriseNumber } from '../identifiers/enterprise-number.js';

/** A customer as the operator finds it. */
export interface ListedCustomer {
  readonly id: string;
  readonly firmId: string;
  readonly enterpriseNumber: string;
  readonly name: string;
  readonly isConfidential: boolean;
}

/** The customers of a firm, or of all, that are not archived: by firm and name. For the operator. */
export async function listCustomersOf(
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
