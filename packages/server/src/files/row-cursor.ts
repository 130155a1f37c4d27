/** A place in rows that are read in pages. */
export interface RowCursor<Row> {
  /** The row at this place; undefined behind the last one. */
  readonly current: Row | undefined;
  advance(): Promise<void> | undefined;
}

/** Opens a cursor at the first row. */
export async function openCursor<Row>(
  pages: AsyncIterator<readonly Row[], void, undefined>,
): Promise<RowCursor<Row>> {
  let page: readonly Row[] = [];
  let place = 0;
  const turn = async () => {
    const { value, done } = await pages.next();
    page = done ? [] : value;
    place = 0;
  };
  await turn();
  return {
    get current() {
      return page[place];
    },
    advance() {
      place += 1;
      return place < page.length ? undefined : turn();
    },
  };
}

/** Whether a row still belongs to a group. */
export type Belongs<Row> = (row: Row) => boolean;

/**
 * Neighbouring rows of one key, a group for each: its first row, and what tells that a further row
 * belongs to it. The rows are to be read before the next group is asked for; those that were not are
 * passed over. Nothing of a group is kept.
 */
export async function* groupsOf<Row>(
  cursor: RowCursor<Row>,
  within: Belongs<Row>,
  isAlike: (one: Row, other: Row) => boolean,
): AsyncGenerator<{ readonly first: Row; readonly belongs: Belongs<Row> }> {
  for (let first = cursor.current; first !== undefined && within(first); first = cursor.current) {
    const start = first;
    const belongs: Belongs<Row> = (row) => within(row) && isAlike(start, row);
    yield { first, belongs };
    for await (const _ of rowsOf(cursor, belongs));
  }
}

/** The rows of a group, from the place of the cursor on. */
export async function* rowsOf<Row>(
  cursor: RowCursor<Row>,
  belongs: Belongs<Row>,
): AsyncGenerator<Row> {
  for (let row = cursor.current; row !== undefined && belongs(row); row = cursor.current) {
    yield row;
    await cursor.advance();
  }
}
