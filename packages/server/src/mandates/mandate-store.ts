import type { Mandate, SearchMandatesRequest } from '@adx/contract';
import type { Knex } from 'knex';
import { type Page, type PageRow, type Paging, toPage } from '../api/paging.js';
import { allOf, type SqlFragment } from '../api/sql-fragment.js';
import { runPrepared } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';
import type { Principal } from '../identity/principal.js';
import type { Author } from '../identity/request-context.js';
import { type MandateSearch, mandateFilters } from './mandate-filters.js';
import {
  type MandateRecord,
  mandateColumns,
  namesOfMandate,
  toMandate,
  visibleMandates,
} from './mandate-record.js';
import { type NotRequestable, requestAgain } from './signing/signature-requests.js';

export type MandateStore = ReturnType<typeof createMandateStore>;

/** Reads and requests mandates for users of the interface, who see the mandates of visible customers. */
export function createMandateStore(knex: Knex, now: () => Date = () => new Date()) {
  return {
    /** Returns an open mandate, or undefined. */
    get: (principal: Principal, id: string) => find(knex, principal, id),

    async search(
      principal: Principal,
      request: MandateSearch,
      { limit, offset }: Paging,
    ): Promise<Page<Mandate>> {
      const visible = visibleMandates(principal);
      const matching = allOf(mandateFilters(request));
      // In the order in which the SQL uses them.
      const fragments = [matching, visible, visible, matching];
      const sql = searchSql(visible, matching, mandateOrder(request));
      const bindings = [...fragments.flatMap((each) => each.bindings), limit, offset];
      const rows = isCommon(request)
        ? await runPrepared<PageRow<MandateRecord>>(knex, sql, bindings)
        : (await knex.raw<{ rows: PageRow<MandateRecord>[] }>(sql, bindings)).rows;
      return toPage(rows, toMandate);
    },

    /**
     * Asks the contact again to sign.
     *
     * @param run - runs it within another transaction
     * @returns undefined if the principal sees no such mandate
     */
    request: (
      { principal, record }: Author,
      id: string,
      run: Knex = knex,
    ): Promise<Mandate | undefined | NotRequestable> =>
      inTransaction(run, async (trx) => {
        const outcome = await requestAgain(trx, principal, id, now());
        if (outcome === 'notFound') return undefined;
        if (outcome !== 'requested') return outcome;
        const requested = await find(trx, principal, id);
        await record(trx, { customerId: requested?.customerId });
        return requested;
      }),
  };
}

/** Returns true for what callers ask again and again: the first page, and the changes since the last time. */
function isCommon({ sort, sortDirection, limit, offset, ...filters }: MandateSearch): boolean {
  const { updatedSince, includeFinished, ...others } = filters;
  const isUsualOrder = sort === 'createdOn' || sort === 'updatedOn';
  return isUsualOrder && Object.values(others).every((value) => value === undefined);
}

async function find(run: Knex, principal: Principal, id: string): Promise<Mandate | undefined> {
  const visible = visibleMandates(principal);
  const [record] = await runPrepared<MandateRecord>(
    run,
    `select ${mandateColumns}
       from (select m.*, c.name as customer_name ${visible.sql} and m.id = ?) m ${namesOfMandate}`,
    [...visible.bindings, id],
  );
  return record && toMandate(record);
}

/**
 * Returns the SQL for a page and both totals, in one round trip. Both totals are counted in one
 * pass. An empty page is one row with the totals and nulls. The ids of the page are found first; only
 * its mandates are read whole and joined with their customers, banks and providers (D-39).
 */
function searchSql(visible: SqlFragment, matching: SqlFragment, order: MandateOrder): string {
  return `
    select counted.*, page.*
      from (select count(*) as records_total,
                   count(*) filter (where ${matching.sql}) as records_filtered ${visible.sql}) counted
      left join (
        select ${mandateColumns}, m.${order.column} as sort_value
          from (select m.*, c.name as customer_name
                  from (select m.id ${visible.sql} and ${matching.sql}
                        ${orderBy(`m.${order.column}`, 'm.id', order)} limit ? offset ?) ids
                  join mandates m on m.id = ids.id
                  join customers c on c.id = m.customer_id) m
          ${namesOfMandate}) page on true
     ${orderBy('page.sort_value', 'page.id', order)}`;
}

type Sort = NonNullable<SearchMandatesRequest['sort']>;

/** The column of `mandates` for each sort of §4.15. Each has an index that returns a page in its order. */
const columns: Readonly<Record<Sort, string>> = {
  createdOn: 'created_on',
  updatedOn: 'updated_on',
  customerName: 'customer_name_sort',
  customerEnterpriseNumber: 'enterprise_number',
  ibanNumber: 'iban',
  status: 'status',
  bankName: 'bank_name_sort',
  payrollProviderCode: 'payroll_provider_code',
};

interface MandateOrder {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/** Returns the order of a search. Any direction but `asc` is descending (§4.15). */
function mandateOrder({ sort, sortDirection }: MandateSearch): MandateOrder {
  if (sort === undefined) throw new Error('The validator did not set the default of sort');
  return { column: columns[sort], direction: sortDirection === 'asc' ? 'asc' : 'desc' };
}

/**
 * Orders by a value, then by id in the same direction (D-10). Mandates without a value come last in
 * ascending and first in descending order, as PostgreSQL orders nulls.
 */
function orderBy(value: string, id: string, { direction }: MandateOrder): string {
  return `order by ${value} ${direction}, ${id} ${direction}`;
}
