import type { Customer, SearchCustomersRequest } from '@adx/contract';
import type { Knex } from 'knex';
import { type Listing, type Paging, readPage, readRecord, readRecords } from '../api/paging.js';
import { fragment, type SqlFragment } from '../api/sql-fragment.js';
import { inTransaction } from '../db/transaction.js';
import type { EnterpriseNumber } from '../identifiers/enterprise-number.js';
import { newObjectId } from '../identifiers/object-id.js';
import { type Principal, visibleCustomers } from '../identity/principal.js';
import type { Author } from '../identity/request-context.js';
import { type ReadsOf, readsFrom } from '../replica/replica.js';
import {
  type CustomerOfFirm,
  claimNumber,
  firmWithNumber,
  hasNumber,
  releaseNumber,
} from './claims.js';
import type { CustomerColumns } from './customer-columns.js';
import { customerFilters } from './customer-filters.js';
import { createCustomerLinks, lockCustomer } from './customer-links.js';
import type { CustomerListener } from './customer-listener.js';
import {
  type CustomerRecord,
  customerColumnsOf,
  nextUpdate,
  toCustomer,
} from './customer-record.js';
import type { NewCustomer } from './parse-customer.js';

/** Number of customers that the list of all customers reads in one query. */
const listPageLength = 500;

/** A record with its sort key, after which the next page starts. */
type ListedRecord = CustomerRecord & { readonly name_sort: string };

export type CustomerStore = ReturnType<typeof createCustomerStore>;

/** Creates the queries of `customers`. Each sees only the customers that its principal may see. */
export function createCustomerStore(
  knex: Knex,
  listener: CustomerListener,
  readsOf: ReadsOf = readsFrom(knex),
) {
  const links = createCustomerLinks(listener);

  const find = (run: Knex, principal: Principal, id: string) =>
    readRecord(run, listingOf(principal), id);

  return {
    get: (principal: Principal, id: string) => find(knex, principal, id),

    /** Returns the id; undefined if the principal does not see the customer (D-16). */
    async idOf(
      principal: Principal,
      enterpriseNumber: EnterpriseNumber,
      run: Knex,
    ): Promise<string | undefined> {
      const isNamed = fragment(hasNumber, enterpriseNumber);
      const [named] = await readRecords(run, listingOf(principal), [isNamed]);
      return named?.id;
    },

    /**
     * Lists customers in pages, so that no connection waits for a slow caller. A customer that is
     * renamed meanwhile may appear twice or be missing.
     */
    async *list(principal: Principal): AsyncGenerator<Customer> {
      const listing: Listing<ListedRecord, ListedRecord> = {
        ...listingOf(principal),
        columns: columnsFor(principal, ', c.name_sort'),
        toItem: (record) => record,
      };
      const options = { limit: listPageLength, isCommon: true };
      const read = readsOf(principal.firmId);
      let last: ListedRecord | undefined;
      do {
        const isLater = last
          ? [fragment('(c.name_sort, c.id) > (?, ?)', last.name_sort, last.id)]
          : [];
        const page = await read((run) => readRecords(run, listing, isLater, options));
        yield* page.map(toCustomer);
        last = page.length < listPageLength ? undefined : page.at(-1);
      } while (last !== undefined);
    },

    search(principal: Principal, request: SearchCustomersRequest, paging: Paging) {
      const filters = customerFilters(request);
      // A search for text is not common: the best plan depends on how many customers match it.
      const isCommon = request.search === undefined && filters.length <= 1;
      const options = { totals: 'separately', isCommon } as const;
      return readsOf(principal.firmId)((run) =>
        readPage(run, listingOf(principal), filters, paging, options),
      );
    },

    /**
     * Creates a customer, unless its enterprise number is in use (D-16).
     *
     * @throws ApiError `ibanInUse`, `unknownPayrollProvider`, `tooManyUnsignedLinks`
     */
    create: (
      { principal, record }: Author,
      customer: NewCustomer,
      run: Knex = knex,
    ): Promise<Customer | NumberInUse> =>
      inTransaction(run, async (trx) => {
        const id = newObjectId();
        const { userId, firmId } = principal;
        const refusal = await insertCustomer(trx, links, { customerId: id, firmId }, customer);
        if (refusal !== undefined) return refusal;
        // D-21: otherwise the user could not see the new customer.
        if (principal.seesCustomers === 'assigned') {
          const assigned = { user_id: userId, firm_id: firmId, customer_id: id };
          await trx('user_customers').insert(assigned);
        }
        await links.link(trx, { customerId: id, principal }, customer);
        await record(trx, { customerId: id });
        const created = await find(trx, principal, id);
        if (created === undefined) throw new Error('The user cannot see the customer they created');
        return created;
      }),

    /** Changes columns. `updatedOn` changes only if at least one of them differs (D-14). */
    update: (
      { principal, record }: Author,
      id: string,
      changes: Partial<CustomerColumns>,
    ): Promise<Customer | undefined> =>
      inTransaction(knex, async (trx) => {
        const columns = Object.entries(changes);
        if (columns.length > 0) {
          const before = await lockCustomer(trx, principal, id);
          if (before === undefined) return undefined;
          const values = columns.map(([, value]) => value);
          const { firmId } = principal;
          await trx.raw(
            `update customers c
                set ${columns.map(([name]) => `${name} = ?`).join(', ')}, updated_on = ${nextUpdate}
              where c.id = ? and c.firm_id = ?
                and (${columns.map(([name]) => `c.${name} is distinct from ?`).join(' or ')})`,
            [...values, id, firmId, ...values],
          );
          const changed = { customerId: id, firmId };
          if ((changes.contact_email ?? before.contact_email) !== before.contact_email) {
            await listener.contactEmailChanged(trx, changed);
          }
          if ((changes.name ?? before.name) !== before.name) await listener.renamed(trx, changed);
        }
        const customer = await find(trx, principal, id);
        if (customer !== undefined) await record(trx);
        return customer;
      }),

    /** Archives a customer and ends its links. Returns false if the principal sees none. */
    archive: ({ principal, record }: Author, id: string): Promise<boolean> =>
      inTransaction(knex, async (trx) => {
        const visible = visibleCustomers(principal);
        const { rows } = await trx.raw<{ rows: { enterprise_number: string }[] }>(
          `update customers c set archived_on = now(), updated_on = ${nextUpdate}
            where c.id = ? and ${visible.sql} returning c.enterprise_number`,
          [id, ...visible.bindings],
        );
        const [archived] = rows;
        if (archived === undefined) return false;
        await releaseNumber(trx, id, archived.enterprise_number);
        await links.end(trx, { customerId: id, principal });
        await record(trx);
        return true;
      }),
  };
}

function listingOf(principal: Principal): Listing<CustomerRecord, Customer> {
  return {
    from: 'customers c',
    visible: visibleCustomers(principal),
    sort: ['c.name_sort'],
    id: 'c.id',
    direction: 'asc',
    columns: columnsFor(principal),
    toItem: toCustomer,
  };
}

const customerColumns = customerColumnsOf('?');

function columnsFor({ firmId }: Principal, further = ''): SqlFragment {
  return fragment(customerColumns + further, firmId, firmId);
}

/** The enterprise number is in use: in the same firm, or in another one (D-16). */
type NumberInUse = 'customerExists' | 'belongsToAnotherTenant';

async function insertCustomer(
  trx: Knex.Transaction,
  links: ReturnType<typeof createCustomerLinks>,
  customer: CustomerOfFirm,
  { enterpriseNumber, columns, bankAccounts = [] }: NewCustomer,
): Promise<NumberInUse | undefined> {
  const { customerId: id, firmId: firm_id } = customer;
  while (!(await claimNumber(trx, customer, enterpriseNumber))) {
    const holder = await firmWithNumber(trx, enterpriseNumber);
    // If there is none, it was archived in the meantime, and the number is free.
    if (holder === undefined) continue;
    if (holder === firm_id) return 'customerExists';
    // The accounts too, so that what gives way is locked at once.
    const wanted = { enterpriseNumber, ibans: bankAccounts.map(({ value }) => value) };
    if (!(await links.makeWay(trx, customer, wanted))) return 'belongsToAnotherTenant';
  }
  await trx('customers').insert({ id, firm_id, enterprise_number: enterpriseNumber, ...columns });
  return undefined;
}
