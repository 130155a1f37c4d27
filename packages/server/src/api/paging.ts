/** §8: larger values of `limit` are reduced to this. */
const maximumLimit = 200;

/** The page of a list that a caller asks for. */
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

/** A row of the SQL of a page: a record with both totals. An empty page is one row of nulls with them. */
export type PageRow<Row> = (Row | { readonly id: null }) & {
  readonly records_total: number;
  readonly records_filtered: number;
};

/** Returns the page that rows make up. */
export function toPage<Row extends { readonly id: string }, Item>(
  rows: readonly PageRow<Row>[],
  toItem: (row: Row) => Item,
): Page<Item> {
  return {
    records: rows.flatMap((row) => (row.id === null ? [] : toItem(row))),
    recordsTotal: rows[0]?.records_total ?? 0,
    recordsFiltered: rows[0]?.records_filtered ?? 0,
  };
}

/** Returns the page that a request body asks for (§4.22). A `limit` over 200 is reduced to 200 (D-06). */
export function readPaging(body: { readonly limit?: number; readonly offset?: number }): Paging {
  const { limit, offset } = body;
  if (limit === undefined || offset === undefined) {
    throw new Error('The validator did not fill in the defaults of limit and offset');
  }
  return { limit: Math.min(limit, maximumLimit), offset };
}
