/** Queries of the operator commands, which see the customers of all firms. */

import type { Knex } from 'knex';
import { allOf, condition, type SqlFragment } from '../api/sql-fragment.js';
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
  readonly archivedOn: Date | null;
}

/** A customer that was transferred to another firm (D-48). */
export interface TransferredCustomer extends Omit<ListedCustomer, 'archivedOn'> {
  /** The customer that it became there; without a firm if that one was erased (D-63). */
  readonly transferredTo: { readonly id: string; readonly firmId: string | null };
  readonly transferredOn: Date;
  /** The person who agreed for the end customer; null if the customer gave way to the firm (D-66). */
  readonly agreedBy: string | null;
}

interface CustomerFilters {
  readonly firmId?: string | undefined;
  readonly enterpriseNumber?: EnterpriseNumber | undefined;
  readonly archived?: boolean | undefined;
}

function matching({ firmId, enterpriseNumber }: CustomerFilters): SqlFragment[] {
  return [
    ...condition('c.firm_id = ?', firmId),
    ...condition('c.enterprise_number = ?', enterpriseNumber),
  ];
}

/** Returns the customers that match and were transferred to another firm, by firm and name. */
export function listTransferred(
  knex: Knex,
  filters: CustomerFilters,
): Promise<TransferredCustomer[]> {
  return selectTransferred(knex, allOf(matching(filters)));
}

/** Returns a customer that was transferred, or undefined. */
export async function findTransferred(
  knex: Knex,
  id: string,
): Promise<TransferredCustomer | undefined> {
  const [transferred] = await selectTransferred(knex, { sql: 'c.id = ?', bindings: [id] });
  return transferred;
}

async function selectTransferred(
  knex: Knex,
  { sql, bindings }: SqlFragment,
): Promise<TransferredCustomer[]> {
  const { rows } = await knex.raw<{ rows: TransferredCustomer[] }>(
    `select c.id, c.firm_id as "firmId", c.enterprise_number as "enterpriseNumber", c.name,
            c.is_confidential as "isConfidential",
            json_build_object('id', c.transferred_to, 'firmId', became.firm_id) as "transferredTo",
            c.archived_on as "transferredOn", c.transfer_agreed_by as "agreedBy"
       from customers c left join customers became on became.id = c.transferred_to
      where c.transferred_to is not null and ${sql}
      order by c.firm_id, c.name_sort, c.id`,
    [...bindings],
  );
  return rows.map(withFormattedNumber);
}

/** Returns the customers that match, by firm and name: those that are archived and were not transferred, or all others. */
export async function listCustomers(
  knex: Knex,
  filters: CustomerFilters,
): Promise<ListedCustomer[]> {
  const { sql, bindings } = allOf([
    { sql: `c.archived_on is ${filters.archived ? 'not null' : 'null'}`, bindings: [] },
    { sql: 'c.transferred_to is null', bindings: [] },
    ...matching(filters),
  ]);
  const { rows } = await knex.raw<{ rows: ListedCustomer[] }>(
    `select id, firm_id as "firmId", enterprise_number as "enterpriseNumber", name,
            is_confidential as "isConfidential", archived_on as "archivedOn"
       from customers c where ${sql}
      order by firm_id, name_sort, id`,
    [...bindings],
  );
  return rows.map(withFormattedNumber);
}

function withFormattedNumber<Row extends Pick<ListedCustomer, 'enterpriseNumber'>>(row: Row): Row {
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
