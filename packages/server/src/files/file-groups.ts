import type { CodaCustomerGroup, CodbCustomerGroup } from '@adx/contract';
import type { Streamed } from '../generated/handlers.gen.js';
import {
  type CodaRecord,
  type CodbRecord,
  type DownloadUrl,
  toCodaFile,
  toCodbFile,
  toGroupedCustomer,
} from './file-record.js';

/** Records in the order of a list, in pages. */
type Pages<Row> = AsyncIterator<readonly Row[], void, undefined>;

/** What is shown of each file. */
interface Shown {
  readonly url: DownloadUrl;
  readonly includePdf: boolean;
}

/** CODA files by customer, then by IBAN, currency and year (§2.5); read from its start to its end. */
export async function* groupCodaFiles(
  pages: Pages<CodaRecord>,
  shown: Shown,
): AsyncGenerator<Streamed<CodaCustomerGroup>> {
  const cursor = await openCursor(pages);
  for await (const { first, belongs } of customersOf(cursor)) {
    yield { ...toGroupedCustomer(first), ibans: codaAccounts(cursor, belongs, shown) };
  }
}

/** CODB files by customer, then by payroll provider and year (§2.4); read from its start to its end. */
export async function* groupCodbFiles(
  pages: Pages<CodbRecord>,
  shown: Shown,
): AsyncGenerator<Streamed<CodbCustomerGroup>> {
  const cursor = await openCursor(pages);
  for await (const { first, belongs } of customersOf(cursor)) {
    yield { ...toGroupedCustomer(first), payrollProviders: codbProviders(cursor, belongs, shown) };
  }
}

function customersOf<Row extends CodaRecord | CodbRecord>(cursor: RowCursor<Row>) {
  return groupsOf(
    cursor,
    () => true,
    (one, other) => one.customer_id === other.customer_id,
  );
}

async function* codaAccounts(
  cursor: RowCursor<CodaRecord>,
  ofCustomer: Belongs<CodaRecord>,
  shown: Shown,
) {
  const isAlike = (one: CodaRecord, other: CodaRecord) =>
    one.iban === other.iban && one.currency === other.currency && one.year === other.year;
  for await (const { first, belongs } of groupsOf(cursor, ofCustomer, isAlike)) {
    const { iban, currency, year } = first;
    yield { iban, currency, year, files: codaFiles(cursor, belongs, shown) };
  }
}

async function* codaFiles(
  cursor: RowCursor<CodaRecord>,
  belongs: Belongs<CodaRecord>,
  { url, includePdf }: Shown,
) {
  for await (const row of rowsOf(cursor, belongs)) yield toCodaFile(row, url, includePdf);
}

async function* codbProviders(
  cursor: RowCursor<CodbRecord>,
  ofCustomer: Belongs<CodbRecord>,
  shown: Shown,
) {
  const isAlike = (one: CodbRecord, other: CodbRecord) =>
    one.payroll_provider === other.payroll_provider && one.year === other.year;
  for await (const { first, belongs } of groupsOf(cursor, ofCustomer, isAlike)) {
    const { payroll_provider: payrollProvider, year } = first;
    yield { payrollProvider, year, files: codbFiles(cursor, belongs, shown) };
  }
}

async function* codbFiles(
  cursor: RowCursor<CodbRecord>,
  belongs: Belongs<CodbRecord>,
  { url, includePdf }: Shown,
) {
  for await (const row of rowsOf(cursor, belongs)) yield toCodbFile(row, url, includePdf);
}

/** A place in rows that are read in pages. */
interface RowCursor<Row> {
  /** The row at this place; undefined behind the last one. */
  readonly current: Row | undefined;
  advance(): Promise<void> | undefined;
}

/** Opens a cursor at the first row. */
async function openCursor<Row>(
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
type Belongs<Row> = (row: Row) => boolean;

/**
 * Neighbouring rows of one key, a group for each: its first row, and what tells that a further row
 * belongs to it. The rows are to be read before the next group is asked for; those that were not are
 * passed over. Nothing of a group is kept.
 */
async function* groupsOf<Row>(
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
async function* rowsOf<Row>(cursor: RowCursor<Row>, belongs: Belongs<Row>): AsyncGenerator<Row> {
  for (let row = cursor.current; row !== undefined && belongs(row); row = cursor.current) {
    yield row;
    await cursor.advance();
  }
}
