import type { Knex } from 'knex';
import { type Listing, readRecords } from '../api/paging.js';
import { condition, fragment } from '../api/sql-fragment.js';
import { type EnterpriseNumber, formatEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { hasListedFiles, type OperatorScope, visibleCustomers } from '../identity/principal.js';
import { hasNumber } from './claims.js';
import { nextUpdate } from './customer-record.js';

/** A customer of any firm, as the operator's commands show it. */
interface ListedCustomer {
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
  /** The person who agreed; null if the customer gave way to the firm (D-66). */
  readonly agreedBy: string | null;
}

interface CustomerFilters {
  readonly enterpriseNumber?: EnterpriseNumber | undefined;
  readonly archived?: boolean | undefined;
}

function listingOf<Row extends { readonly enterpriseNumber: string }>(
  operator: OperatorScope,
  columns: string,
): Listing<Row, Row> {
  return {
    from: 'customers c',
    visible: visibleCustomers(operator),
    sort: ['c.firm_id', 'c.name_sort'],
    id: 'c.id',
    direction: 'asc',
    columns: fragment(
      `c.id, c.firm_id as "firmId", c.enterprise_number as "enterpriseNumber", c.name,
       c.is_confidential as "isConfidential", ${columns}`,
    ),
    toItem: (row) => ({ ...row, enterpriseNumber: formatEnterpriseNumber(row.enterpriseNumber) }),
  };
}

/** Returns the customers that are archived and were not transferred, or all others. */
export function listCustomers(
  knex: Knex,
  operator: OperatorScope,
  { enterpriseNumber, archived = false }: CustomerFilters = {},
): Promise<ListedCustomer[]> {
  const filters = [
    fragment(`c.archived_on is ${archived ? 'not null' : 'null'} and c.transferred_to is null`),
    ...condition(archived ? hadNumber : hasNumber, enterpriseNumber),
  ];
  return readRecords(knex, listingOf(operator, 'c.archived_on as "archivedOn"'), filters);
}

/** SQL for the enterprise number of archived customers, which have no claim to it. */
const hadNumber = 'c.enterprise_number = ?';

export async function listTransferred(
  knex: Knex,
  operator: OperatorScope,
  { id, enterpriseNumber }: Pick<CustomerFilters, 'enterpriseNumber'> & { readonly id?: string },
): Promise<TransferredCustomer[]> {
  type Row = Omit<TransferredCustomer, 'transferredTo'> & { readonly becameId: string };
  const columns = `c.transferred_to as "becameId", c.archived_on as "transferredOn",
    c.transfer_agreed_by as "agreedBy"`;
  const filters = [...condition('c.id = ?', id), ...condition(hadNumber, enterpriseNumber)];
  const rows = await readRecords(knex, listingOf<Row>(operator, columns), [
    fragment('c.transferred_to is not null'),
    ...filters,
  ]);
  const became = await knex('customers')
    .whereRaw('id = any(?)', [rows.map(({ becameId }) => becameId)])
    .select('id', 'firm_id');
  const firms = new Map(became.map((customer) => [customer.id, customer.firm_id]));
  return rows.map(({ becameId, ...row }) => ({
    ...row,
    transferredTo: { id: becameId, firmId: firms.get(becameId) ?? null },
  }));
}

/**
 * Makes a customer confidential or not (D-18). Returns false if there is no such customer, or it is
 * archived and was not transferred.
 */
export async function setConfidential(
  knex: Knex,
  operator: OperatorScope,
  customerId: string,
  isConfidential: boolean,
): Promise<boolean> {
  const visible = visibleCustomers(operator);
  const { rowCount } = await knex.raw<{ rowCount: number }>(
    `update customers c
        set updated_on = case when c.is_confidential = ? then c.updated_on else ${nextUpdate} end,
            is_confidential = ?
      where c.id = ? and ${hasListedFiles} and ${visible.sql}`,
    [isConfidential, isConfidential, customerId, ...visible.bindings],
  );
  return rowCount > 0;
}
