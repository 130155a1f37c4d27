import type { Knex } from 'knex';
import { runPrepared, runUnprepared } from '../db/prepared-statements.js';
import { allOf, fragment, type SqlFragment } from './sql-fragment.js';

/** §8: larger values of `limit` are reduced to this. */
const maximumLimit = 200;

export interface Paging {
  readonly limit: number;
  readonly offset: number;
}

/** The records of a page, with the totals of §2.9. */
export interface Page<Item> {
  readonly records: Item[];
  readonly recordsTotal: number;
  readonly recordsFiltered: number;
}

/** A list of records, as a scope sees it. */
export interface Listing<Row, Item> {
  /** The tables that conditions and order use. */
  readonly from: string;
  readonly visible: SqlFragment;
  readonly id: string;
  /** The columns of the order before the id, in the same direction. */
  readonly sort: readonly string[];
  readonly direction: 'asc' | 'desc';
  /**
   * The columns, with the id under this name. A subquery names the firm by its value, without which
   * Citus does not know that it is on one node (D-72).
   */
  readonly columns: SqlFragment;
  /** The tables that only the columns use. */
  readonly joins?: SqlFragment;
  readonly toItem: (row: Row) => Item;
}

export type Records<Row, Item> = Omit<Listing<Row, Item>, 'sort' | 'direction'>;

type Sql = Omit<Listing<never, unknown>, 'toItem'>;

/**
 * The way in which totals are counted: both in one pass over the visible records; each by itself,
 * if an index has what it needs; or by a query of `records_total` and `records_filtered`.
 */
type Totals = 'inOnePass' | 'separately' | SqlFragment;

const nothing = fragment('');

/** A record with both totals. An empty page is one row of nulls with both totals. */
type PageRow<Row> = (Row | { readonly id: null }) & {
  readonly records_total: number;
  readonly records_filtered: number;
};

/**
 * Reads a page and both totals in one query.
 *
 * @param options.isCommon - true if many calls send the query in this form
 */
export async function readPage<Row extends { readonly id: string | number }, Item>(
  knex: Knex,
  listing: Listing<Row, Item>,
  filters: readonly SqlFragment[],
  paging: Paging,
  { totals, isCommon = false }: { readonly totals: Totals; readonly isCommon?: boolean },
): Promise<Page<Item>> {
  const read = isCommon ? runPrepared : runUnprepared;
  const rows = await read<PageRow<Row>>(knex, pageQuery(listing, filters, paging, totals));
  return {
    records: rows.flatMap((row) => (row.id === null ? [] : listing.toItem(row))),
    recordsTotal: rows[0]?.records_total ?? 0,
    recordsFiltered: rows[0]?.records_filtered ?? 0,
  };
}

/**
 * Reads all records that match, or the first ones.
 *
 * @param options.isCommon - true if many calls send the query in this form
 */
export async function readRecords<Row, Item>(
  knex: Knex,
  listing: Listing<Row, Item>,
  filters: readonly SqlFragment[],
  { limit, isCommon = false }: { readonly limit?: number; readonly isCommon?: boolean } = {},
): Promise<Item[]> {
  const { sql, bindings } = recordsWhere(listing, filters);
  const limited = limit === undefined ? nothing : fragment('limit ?', limit);
  const order = orderBy(listing, [...listing.sort, listing.id]);
  const query = fragment(`${sql} ${order} ${limited.sql}`, ...bindings, ...limited.bindings);
  return (await (isCommon ? runPrepared : runUnprepared)<Row>(knex, query)).map(listing.toItem);
}

/** Returns a page of a short list, all of which was read. */
export function pageOf<Item>(all: readonly Item[], { limit, offset }: Paging): Page<Item> {
  const records = all.slice(offset, offset + limit);
  return { records, recordsTotal: all.length, recordsFiltered: all.length };
}

/** Reads the record with an id. Returns undefined if the scope sees none. */
export async function readRecord<Row, Item>(
  knex: Knex,
  listing: Records<Row, Item>,
  id: string,
): Promise<Item | undefined> {
  const query = recordsWhere(listing, [fragment(`${listing.id} = ?`, id)]);
  const [row] = await runPrepared<Row>(knex, query);
  return row && listing.toItem(row);
}

/**
 * Returns the query of a page. Its ids are found first, so that the records before it are not read
 * whole, and nothing is joined with them (D-39). Each record is then read by its id alone, whatever
 * the database believes to know about the table: it knows nothing of one that was just filled. The
 * condition of the scope stands there again, because it names the firm and so the partition (D-68).
 */
function pageQuery(
  listing: Sql,
  filters: readonly SqlFragment[],
  { limit, offset }: Paging,
  totals: Totals,
): SqlFragment {
  const { from, id, visible, sort, columns, joins = nothing } = listing;
  const matching = allOf([visible, ...filters]);
  const counted = typeof totals === 'string' ? countQuery(listing, filters, totals) : totals;
  // The page has the order of the choice, whose expressions may name a collation; the id is last.
  const keys = [...sort, id].map((column, index) => ({ column, name: `key_${index}` }));
  const chosen = keys.map(({ column, name }) => `${column} as ${name}`);
  const isFound = allOf([fragment(`${id} = ids.key_${sort.length}`), visible]);
  return {
    sql: `
      select counted.*, record.*
        from (${counted.sql}) counted
        left join ((select ${chosen.join(', ')} from ${from} where ${matching.sql}
                     ${orderBy(listing, [...sort, id])} limit ? offset ?) ids
             cross join lateral (select ${columns.sql} from ${from} ${joins.sql}
                                  where ${isFound.sql} limit 1) record) on true
       ${orderBy(
         listing,
         keys.map(({ name }) => `ids.${name}`),
       )}`,
    bindings: [
      ...[...counted.bindings, ...matching.bindings, limit, offset],
      ...[...columns.bindings, ...joins.bindings, ...isFound.bindings],
    ],
  };
}

function countQuery(
  { from, visible }: Pick<Sql, 'from' | 'visible'>,
  filters: readonly SqlFragment[],
  how: 'inOnePass' | 'separately',
): SqlFragment {
  const all = `from ${from} where ${visible.sql}`;
  const matching = allOf(filters);
  if (filters.length === 0) {
    const sql = `select n as records_total, n as records_filtered from (select count(*) as n ${all}) each`;
    return { sql, bindings: visible.bindings };
  }
  if (how === 'separately') {
    return {
      sql: `select (select count(*) ${all}) as records_total,
                   (select count(*) ${all} and ${matching.sql}) as records_filtered`,
      bindings: [...visible.bindings, ...visible.bindings, ...matching.bindings],
    };
  }
  return {
    sql: `select count(*) as records_total,
                 count(*) filter (where ${matching.sql}) as records_filtered ${all}`,
    bindings: [...matching.bindings, ...visible.bindings],
  };
}

function recordsWhere(
  listing: Omit<Sql, 'sort' | 'direction'>,
  filters: readonly SqlFragment[],
): SqlFragment {
  const { from, columns, joins = nothing } = listing;
  const matching = allOf([listing.visible, ...filters]);
  return {
    sql: `select ${columns.sql} from ${from} ${joins.sql} where ${matching.sql}`,
    bindings: [...columns.bindings, ...joins.bindings, ...matching.bindings],
  };
}

function orderBy({ direction }: Pick<Sql, 'direction'>, columns: readonly string[]): string {
  return `order by ${columns.map((column) => `${column} ${direction}`).join(', ')}`;
}

/** Returns the page that a body asks for (§4.22). A `limit` over 200 is reduced (D-06). */
export function readPaging(body: { readonly limit?: number; readonly offset?: number }): Paging {
  const { limit, offset } = body;
  if (limit === undefined || offset === undefined) {
    throw new Error('The validator did not fill in the defaults of limit and offset');
  }
  return { limit: Math.min(limit, maximumLimit), offset };
}
