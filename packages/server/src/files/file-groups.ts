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
import { type Belongs, groupsOf, openCursor, type RowCursor, rowsOf } from './row-cursor.js';

/** Records in the order of a list, in pages. */
export type Pages<Row> = AsyncIterator<readonly Row[], void, undefined>;

/** What is shown of each file. */
export interface Shown {
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
