import type { Mandate, SearchMandatesRequest } from '@adx/contract';
import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import type { Paging } from '../api/paging.js';
import { inTransaction } from '../db/transaction.js';
import type { Principal, SqlFragment } from '../identity/principal.js';
import { mandateFilters } from './mandate-filters.js';
import { type MandateOrder, mandateOrder, orderBy } from './mandate-order.js';
import { type MandateRecord, mandateColumns, namesOfMandate, toMandate } from './mandate-record.js';
import { requestAgain } from './request-again.js';
import { visibleMandates } from './visible-mandates.js';

/** One page of mandates; totals as §2.9 defines them. */
export interface MandatePage {
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
