import type { Mandate, SearchMandatesRequest } from '@adx/contract';
import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import { noFieldLeft } from '../api/every-field.js';
import type { Paging } from '../api/paging.js';
import { parseInstant } from '../dates/instant.js';
import { inTransaction } from '../db/transaction.js';
import { normaliseIban } from '../identifiers/iban.js';
import type { Principal, SqlFragment } from '../identity/principal.js';
import {
  type MandateRecord,
  mandateColumns,
  namesOfMandate,
  toMandate,
  visibleMandates,
} from './mandate-record.js';
import { requestAgain } from './signing/signature-requests.js';

/** One page of mandates; totals as §2.9 defines them. */
interface MandatePage {
  readonly records: Mandate[];
  readonly recordsTotal: number;
  readonly recordsFiltered: number;
}

interface Totals {
  readonly records_total: number;
  readonly records_filtered: number;
}

export type MandateStore = ReturnType<typeof createMandateStore>;

/** Mandates as users of the interface read and request them: each sees those of visible customers. */
export function createMandateStore(knex: Knex, now: () => Date = () => new Date()) {
  return {
    /** @throws ApiError `notFound`, also when the mandate is closed */
    get: (principal: Principal, id: string): Promise<Mandate> => find(knex, principal, id),

    /** @throws ApiError `validationFailed` when `updatedSince` is no instant */
    async search(
      principal: Principal,
      request: SearchMandatesRequest,
      { limit, offset }: Paging,
    ): Promise<MandatePage> {
      const visible = visibleMandates(principal);
      const filters = mandateFilters(request);
      const matching = filters?.bindings ?? [];
      const { rows } = await knex.raw<{ rows: ((MandateRecord | NoRecord) & Totals)[] }>(
        searchSql(visible, filters, mandateOrder(request)),
        // In the order of the text: what matches is counted among what is visible.
        [...matching, ...visible.bindings, ...visible.bindings, ...matching, limit, offset],
      );
      return {
        records: rows.filter((row) => row.id !== null).map(toMandate),
        recordsTotal: rows[0]?.records_total ?? 0,
        recordsFiltered: rows[0]?.records_filtered ?? 0,
      };
    },

    /**
     * Asks the contact again.
     *
     * @throws ApiError `notFound`, `mandateNotRequestable`
     */
    request: (principal: Principal, id: string): Promise<Mandate> =>
      inTransaction(knex, async (trx) => {
        await requestAgain(trx, principal, id, now());
        return find(trx, principal, id);
      }),
  };
}

/** Beside the totals of an empty page. */
interface NoRecord {
  readonly id: null;
}

async function find(run: Knex, principal: Principal, id: string): Promise<Mandate> {
  const visible = visibleMandates(principal);
  const { rows } = await run.raw<{ rows: MandateRecord[] }>(
    `select ${mandateColumns}
       from (select m.*, c.name as customer_name ${visible.sql} and m.id = ?) m ${namesOfMandate}`,
    [...visible.bindings, id],
  );
  const [record] = rows;
  if (record === undefined) throw new ApiError('notFound');
  return toMandate(record);
}

/**
 * One round trip for the page and both totals, which are counted in one pass; an empty page is one
 * row of nulls beside them. The names of banks and providers are looked up for the page alone.
 */
function searchSql(
  visible: SqlFragment,
  filters: SqlFragment | undefined,
  order: MandateOrder,
): string {
  const filtered = filters ? `count(*) filter (where ${filters.sql})` : 'count(*)';
  return `
    select counted.*, page.*
      from (select count(*) as records_total, ${filtered} as records_filtered
            ${visible.sql}) counted
      left join (
        select ${mandateColumns}, m.${order.column} as sort_value
          from (select m.*, c.name as customer_name
                ${visible.sql} ${filters ? `and ${filters.sql}` : ''}
                ${orderBy(`m.${order.column}`, 'm.id', order)} limit ? offset ?) m
          ${namesOfMandate}) page on true
     ${orderBy('page.sort_value', 'page.id', order)}`;
}

/**
 * The conditions of *Search mandates* (§4.15, D-10) over `mandates m`; nothing when all are asked for.
 *
 * @throws ApiError `validationFailed` when `updatedSince` is no instant
 */
function mandateFilters(request: SearchMandatesRequest): SqlFragment | undefined {
  const { customerId, enterpriseNumber, iban, payrollProviderCode, product, ...others } = request;
  const { status, includeFinished, updatedSince, ...orderAndPage } = others;
  const { sort, sortDirection, limit, offset, ...rest } = orderAndPage;
  noFieldLeft(rest);
  const conditions = [
    equals('m.customer_id', customerId?.toLowerCase()),
    equals('m.enterprise_number', enterpriseNumber?.replaceAll('.', '')),
    equals('m.iban', iban === undefined ? undefined : normaliseIban(iban)),
    equals('m.payroll_provider_code', payrollProviderCode),
    equals('m.product', product),
    status === undefined ? undefined : isOneOf('m.status', [status].flat()),
    includeFinished ? undefined : { sql: `m.status <> 'finished'`, bindings: [] },
    updatedSince === undefined ? undefined : isSince('m.updated_on', updatedSince),
  ].filter((condition) => condition !== undefined);
  if (conditions.length === 0) return undefined;
  return {
    sql: conditions.map(({ sql }) => sql).join(' and '),
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

function equals(column: string, value: string | undefined): SqlFragment | undefined {
  return value === undefined ? undefined : { sql: `${column} = ?`, bindings: [value] };
}

function isOneOf(column: string, values: readonly string[]): SqlFragment {
  return { sql: `${column} in (${values.map(() => '?').join(', ')})`, bindings: values };
}

function isSince(column: string, text: string): SqlFragment {
  const instant = parseInstant(text);
  if (instant === undefined) {
    throw new ApiError('validationFailed', {
      details: [{ path: 'updatedSince', message: 'must match format "date-time"' }],
    });
  }
  return { sql: `${column} >= ?::timestamptz`, bindings: [instant.toISOString()] };
}

type Sort = NonNullable<SearchMandatesRequest['sort']>;

/** What each sort of §4.15 orders by: a column of `mandates` with an index that is walked. */
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

/** The order of a page. */
interface MandateOrder {
  /** Of `mandates`. */
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/** The order that a search asks for; any direction but `asc` is descending (§4.15). */
function mandateOrder({ sort, sortDirection }: SearchMandatesRequest): MandateOrder {
  if (sort === undefined) throw new Error('The validator did not fill in the default of sort');
  return { column: columns[sort], direction: sortDirection === 'asc' ? 'asc' : 'desc' };
}

/**
 * Orders by a value and, where it is the same, by the id in the same direction (D-10). Mandates
 * without a value come last ascending and first descending, which is how the database orders nulls.
 */
function orderBy(value: string, id: string, { direction }: MandateOrder): string {
  return `order by ${value} ${direction}, ${id} ${direction}`;
}
