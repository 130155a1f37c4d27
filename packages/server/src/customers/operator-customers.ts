/** Queries of the operator commands, which see the customers of all firms. */

import type { Knex } from 'knex';
import { type EnterpriseNumber, formatEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { hasListedFiles } from '../identity/principal.js';
import { nextUpdate } from './customer-record.js';

/** A customer of any firm, as the operator's commands show it. */
export interface ListedCustomer {
  readonly id: string;
  readonly firmId: string;
  readonly enterpriseNumber: string;
  readonly name: string;
  readonly isConfidential: boolean;
  readonly archivedOn?: Date;
}

/** A customer that was transferred to another firm (D-48). */
export interface TransferredCustomer extends ListedCustomer {
  /** The customer that it became there. */
  readonly transferredTo: { readonly id: string; readonly firmId: string };
  readonly transferredOn: Date;
  /** The person who agreed for the end customer, as the operator wrote it. */
  readonly agreedBy: string;
}

interface CustomerFilters {
  readonly firmId?: string | undefined;
  readonly enterpriseNumber?: EnterpriseNumber | undefined;
  readonly archived?: boolean | undefined;
}

/** SQL that matches customers `c`; the bindings are those of {@link bindingsOf}. */
const matching =
  '(:firmId::text is null or c.firm_id = :firmId) and (:number::text is null or c.enterprise_number = :number)';

function bindingsOf({ firmId, enterpriseNumber }: CustomerFilters) {
  return { firmId: firmId ?? null, number: enterpriseNumber ?? null };
}

/** Returns the customers that match and were transferred to another firm, by firm and name. */
export function listTransferred(
  knex: Knex,
  filters: CustomerFilters,
): Promise<TransferredCustomer[]> {
  return selectTransferred(knex, matching, bindingsOf(filters));
}

/** Returns a customer that was transferred, or undefined. */
export async function findTransferred(
  knex: Knex,
  id: string,
): Promise<TransferredCustomer | undefined> {
  const [transferred] = await selectTransferred(knex, 'c.id = :id', { id });
  return transferred;
}

async function selectTransferred(
  knex: Knex,
  condition: string,
  bindings: Readonly<Record<string, string | null>>,
): Promise<TransferredCustomer[]> {
  const { rows } = await knex.raw<{ rows: TransferredCustomer[] }>(
    `select c.id, c.firm_id as "firmId", c.enterprise_number as "enterpriseNumber", c.name,
            c.is_confidential as "isConfidential",
            json_build_object('id', became.id, 'firmId', became.firm_id) as "transferredTo",
            c.archived_on as "transferredOn", c.transfer_agreed_by as "agreedBy"
       from customers c join customers became on became.id = c.transferred_to
      where ${condition}
      order by c.firm_id, c.name_sort, c.id`,
    bindings,
  );
  return rows.map(withFormattedNumber);
}

/** Returns the customers that match, by firm and name: those that are archived and were not transferred, or all others. */
export async function listCustomers(
  knex: Knex,
  filters: CustomerFilters,
): Promise<ListedCustomer[]> {
  type Row = Omit<ListedCustomer, 'archivedOn'> & { readonly archivedOn: Date | null };
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select id, firm_id as "firmId", enterprise_number as "enterpriseNumber", name,
            is_confidential as "isConfidential", archived_on as "archivedOn"
       from customers c
      where (archived_on is not null) = :archived and transferred_to is null and ${matching}
      order by firm_id, name_sort, id`,
    { ...bindingsOf(filters), archived: filters.archived ?? false },
  );
  return rows.map(({ archivedOn, ...row }) => ({
    ...withFormattedNumber(row),
    ...(archivedOn !== null && { archivedOn }),
  }));
}

function withFormattedNumber<Row extends ListedCustomer>(row: Row): Row {
  return { ...row, enterpriseNumber: formatEnterpriseNumber(row.enterpriseNumber) };
}

/**
 * Makes a customer confidential or no longer confidential (D-18).
 *
 * @returns false if there is no such customer, or it is archived and was not transferred
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
      where c.id = :customerId and ${hasListedFiles}
      returning c.id`,
    { customerId, isConfidential },
  );
  return rowCount > 0;
}
