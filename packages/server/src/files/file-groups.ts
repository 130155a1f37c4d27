import type { CodaCustomerGroup, CodbCustomerGroup } from '@adx/contract';
import type { Streamed } from '../generated/handlers.gen.js';
import {
  type CodaRecord,
  type CodbRecord,
  toCodaFile,
  toCodbFile,
  toGroupedCustomer,
  type UrlOptions,
} from './file-record.js';

type Pages<Row> = AsyncIterator<readonly Row[], void, undefined>;

/** Groups by customer, then by IBAN, currency and year (§2.5). Read each group before the next. */
export async function* groupCodaFiles(
  pages: Pages<CodaRecord>,
  options: UrlOptions,
): AsyncGenerator<Streamed<CodaCustomerGroup>> {
  const cursor = await openCursor(pages);
  for await (const { first, belongs } of customersOf(cursor)) {
    yield { ...toGroupedCustomer(first), ibans: codaAccounts(cursor, belongs, options) };
  }
}

/** Groups by customer, then by payroll provider and year (§2.4). Read each before the next. */
export async function* groupCodbFiles(
  pages: Pages<CodbRecord>,
  options: UrlOptions,
): AsyncGenerator<Streamed<CodbCustomerGroup>> {
  const cursor = await openCursor(pages);
  for await (const { first, belongs } of customersOf(cursor)) {
    yield {
      ...toGroupedCustomer(first),
      payrollProviders: codbProviders(cursor, belongs, options),
    };
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
  options: UrlOptions,
) {
  const isAlike = (one: CodaRecord, other: CodaRecord) =>
    one.iban === other.iban && one.currency === other.currency && one.year === other.year;
  for await (const { first, belongs } of groupsOf(cursor, ofCustomer, isAlike)) {
    const { iban, currency, year } = first;
    const files = filesOf(cursor, belongs, (row) => toCodaFile(row, options));
    yield { iban, currency, year, files };
  }
}

async function* codbProviders(
  cursor: RowCursor<CodbRecord>,
  ofCustomer: Belongs<CodbRecord>,
  options: UrlOptions,
) {
  const isAlike = (one: CodbRecord, other: CodbRecord) =>
    one.payroll_provider === other.payroll_provider && one.year === other.year;
  for await (const { first, belongs } of groupsOf(cursor, ofCustomer, isAlike)) {
    const { payroll_provider: payrollProvider, year } = first;
    const files = filesOf(cursor, belongs, (row) => toCodbFile(row, options));
    yield { payrollProvider, year, files };
  }
}

interface RowCursor<Row> {
  /** The current row; undefined after the last one. */
  readonly current: Row | undefined;
  advance(): Promise<void> | undefined;
}

async function openCursor<Row>(pages: Pages<Row>): Promise<RowCursor<Row>> {
  let page: readonly Row[] = [];
  let index = 0;
  const nextPage = async () => {
    const { value, done } = await pages.next();
    page = done ? [] : value;
    index = 0;
  };
  await nextPage();
  return {
    get current() {
      return page[index];
    },
    advance() {
      index += 1;
      return index < page.length ? undefined : nextPage();
    },
  };
}

type Belongs<Row> = (row: Row) => boolean;

/**
 * Yields each group of neighbouring rows that are alike, as its first row and a test for the
 * others. Nothing of a group is kept: the caller reads its rows from the cursor before the next
 * group, and rows that were not read are skipped.
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
    while (cursor.current !== undefined && belongs(cursor.current)) await cursor.advance();
  }
}

async function* filesOf<Row, File>(
  cursor: RowCursor<Row>,
  belongs: Belongs<Row>,
  toFile: (row: Row) => File,
): AsyncGenerator<File> {
  for (let row = cursor.current; row !== undefined && belongs(row); row = cursor.current) {
    yield toFile(row);
    await cursor.advance();
  }
}
