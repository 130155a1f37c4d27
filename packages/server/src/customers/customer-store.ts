import type { Customer, SearchCustomersRequest } from '@adx/contract';
import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import type { Paging } from '../api/paging.js';
import { inTransaction } from '../db/transaction.js';
import type { EnterpriseNumber } from '../identifiers/enterprise-number.js';
import type { Iban } from '../identifiers/iban.js';
import { newObjectId } from '../identifiers/object-id.js';
import { type Principal, type SqlFragment, visibleCustomers } from '../identity/principal.js';
import type { CustomerColumns } from './customer-columns.js';
import { customerFilters } from './customer-filters.js';
import { type CustomerFollower, createCustomerLinks, type Link } from './customer-links.js';
import { type CustomerRecord, customerColumns, nextUpdate, toCustomer } from './customer-record.js';

/** A customer to register, parsed and checked. */
export interface NewCustomer {
  readonly enterpriseNumber: EnterpriseNumber;
  readonly columns: CustomerColumns;
  readonly bankAccounts: readonly Link<Iban>[];
  readonly payrollProviders: readonly Link<string>[];
}

/** One page of customers; totals as §2.9 defines them. */
export interface CustomerPage {
  readonly records: Customer[];
  readonly recordsTotal: number;
  readonly recordsFiltered: number;
}

/** Customers read at once for a list of all. */
const listPageLength = 500;

/** A record with what the next page begins after. */
type ListedRecord = CustomerRecord & { readonly name_sort: string };

export type CustomerStore = ReturnType<typeof createCustomerStore>;

/** The SQL of `customers`. Every function takes the principal, and sees what the principal may see. */
export function createCustomerStore(knex: Knex, follower: CustomerFollower) {
  const links = createCustomerLinks(follower);
  const rows = async <Row>(run: Knex, sql: string, bindings: readonly Knex.RawBinding[]) =>
    (await run.raw<{ rows: Row[] }>(sql, [...bindings])).rows;

  async function find(run: Knex, principal: Principal, id: string): Promise<Customer> {
    const visible = visibleCustomers(principal);
    const [record] = await rows<CustomerRecord>(
      run,
      `select ${customerColumns} from customers c where c.id = ? and ${visible.sql}`,
      [id, ...visible.bindings],
    );
    if (record === undefined) throw new ApiError('notFound');
    return toCustomer(record);
  }

  /**
   * Holds a customer until the transaction ends, and reads what others follow. What merely refers to
   * the customer, such as an answer to its signature request, does not wait.
   */
  async function lock(trx: Knex.Transaction, principal: Principal, id: string) {
    const visible = visibleCustomers(principal);
    const [before] = await rows<{ name: string; contact_email: string }>(
      trx,
      `select c.name, c.contact_email from customers c where c.id = ? and ${visible.sql}
          for no key update`,
      [id, ...visible.bindings],
    );
    if (before === undefined) throw new ApiError('notFound');
    return before;
  }

  function listPage(principal: Principal, after: ListedRecord | undefined) {
    const visible = visibleCustomers(principal);
    return rows<ListedRecord>(
      knex,
      `select ${customerColumns}, c.name_sort from customers c
        where ${visible.sql} ${after ? 'and (c.name_sort, c.id) > (?, ?)' : ''}
        order by c.name_sort, c.id limit ?`,
      [...visible.bindings, ...(after ? [after.name_sort, after.id] : []), listPageLength],
    );
  }

  return {
    /** @throws ApiError `notFound` */
    get: (principal: Principal, id: string) => find(knex, principal, id),

    /**
     * Every visible customer, by name, read in pages: no connection waits for a slow reader. Up to
     * a page is one statement; in a longer list a customer that is renamed meanwhile may be met
     * twice or not at all.
     */
    async *list(principal: Principal): AsyncGenerator<Customer> {
      let last: ListedRecord | undefined;
      do {
        const page = await listPage(principal, last);
        yield* page.map(toCustomer);
        last = page.length < listPageLength ? undefined : page.at(-1);
      } while (last !== undefined);
    },

    async search(
      principal: Principal,
      request: SearchCustomersRequest,
      { limit, offset }: Paging,
    ): Promise<CustomerPage> {
      const visible = visibleCustomers(principal);
      const matching = both(visible, customerFilters(request));
      const found = await rows<CustomerRecord & Totals>(knex, searchSql(visible, matching), [
        // In the order of the text: what matches is counted before what is visible.
        ...(matching === visible ? [] : matching.bindings),
        ...visible.bindings,
        ...matching.bindings,
        limit,
        offset,
      ]);
      return {
        records: found.filter(({ id }) => id !== null).map(toCustomer),
        recordsTotal: Number(found[0]?.records_total ?? 0),
        recordsFiltered: Number(found[0]?.records_filtered ?? 0),
      };
    },

    /** @throws ApiError `customerExists`, `belongsToAnotherTenant`, `ibanInUse`, `unknownPayrollProvider` */
    create: (principal: Principal, customer: NewCustomer): Promise<Customer> =>
      inTransaction(knex, async (trx) => {
        const id = await insertCustomer(trx, principal, customer);
        if (principal.seesCustomers === 'assigned') {
          const { userId: user_id, firmId: firm_id } = principal;
          await trx('user_customers').insert({ user_id, firm_id, customer_id: id });
        }
        await links.link(trx, { customerId: id, principal }, customer);
        return find(trx, principal, id);
      }),

    /**
     * Changes the columns that differ; `updatedOn` moves only when one does (D-14).
     *
     * @throws ApiError `notFound`
     */
    update: (
      principal: Principal,
      id: string,
      changes: Partial<CustomerColumns>,
    ): Promise<Customer> =>
      inTransaction(knex, async (trx) => {
        const columns = Object.entries(changes);
        if (columns.length > 0) {
          const before = await lock(trx, principal, id);
          const values = columns.map(([, value]) => value);
          await rows(
            trx,
            `update customers c
                set ${columns.map(([name]) => `${name} = ?`).join(', ')}, updated_on = ${nextUpdate}
              where c.id = ?
                and (${columns.map(([name]) => `c.${name} is distinct from ?`).join(' or ')})`,
            [...values, id, ...values],
          );
          if ((changes.contact_email ?? before.contact_email) !== before.contact_email) {
            await follower.contactMoved(trx, id);
          }
          if ((changes.name ?? before.name) !== before.name) await follower.renamed(trx, id);
        }
        return find(trx, principal, id);
      }),

    /** @throws ApiError `notFound` */
    archive: (principal: Principal, id: string): Promise<void> =>
      inTransaction(knex, async (trx) => {
        const visible = visibleCustomers(principal);
        const archived = await rows(
          trx,
          `update customers c set archived_on = now(), updated_on = ${nextUpdate}
            where c.id = ? and ${visible.sql} returning c.id`,
          [id, ...visible.bindings],
        );
        if (archived.length === 0) throw new ApiError('notFound');
        await links.endAll(trx, { customerId: id, principal });
      }),
  };
}

interface Totals {
  readonly records_total: string;
  readonly records_filtered: string;
}

function both(visible: SqlFragment, filters: SqlFragment | undefined): SqlFragment {
  if (filters === undefined) return visible;
  return {
    sql: `${visible.sql} and ${filters.sql}`,
    bindings: [...visible.bindings, ...filters.bindings],
  };
}

/** One round trip for the page and both totals; an empty page is one row of nulls beside them. */
function searchSql(visible: SqlFragment, matching: SqlFragment): string {
  const filtered =
    matching === visible ? 'total.n' : `(select count(*) from customers c where ${matching.sql})`;
  return `
    select total.n as records_total, ${filtered} as records_filtered, page.*
      from (select count(*) as n from customers c where ${visible.sql}) total
      left join lateral (
        select ${customerColumns}, c.name_sort
          from customers c where ${matching.sql}
         order by c.name_sort, c.id limit ? offset ?) page on true
     order by page.name_sort, page.id`;
}

/**
 * Inserts the row of a customer; answers its id.
 *
 * @throws ApiError `customerExists`, `belongsToAnotherTenant` when another stands in the way (D-16)
 */
async function insertCustomer(
  trx: Knex.Transaction,
  principal: Principal,
  { enterpriseNumber: enterprise_number, columns }: NewCustomer,
): Promise<string> {
  const id = newObjectId();
  const { firmId: firm_id } = principal;
  for (;;) {
    const [inserted] = await trx('customers')
      .insert({ id, firm_id, enterprise_number, ...columns })
      .onConflict(trx.raw('(enterprise_number) where archived_on is null'))
      .ignore()
      .returning<{ id: string }[]>('id');
    if (inserted !== undefined) return id;
    const inTheWay = await trx('customers')
      .where({ enterprise_number })
      .whereNull('archived_on')
      .first<{ firm_id: string } | undefined>('firm_id');
    // Archived since: the number is free again.
    if (inTheWay === undefined) continue;
    throw new ApiError(inTheWay.firm_id === firm_id ? 'customerExists' : 'belongsToAnotherTenant');
  }
}
