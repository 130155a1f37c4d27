import { camtEnd, camtStart, camtStatement } from '../convert/camt053.js';
import type { CamtVersion } from '../convert/camt053-parts.js';
import { csvColumns, payrollRows, statementRows } from '../convert/csv.js';
import { toJsonValue } from '../json-value.js';
import { type Target, WrongUse } from './command-line.js';
import { isAccepted, type ReadPart } from './read-parts.js';

type Parts = AsyncIterable<ReadPart>;

/**
 * Converts what is accepted, piece by piece. There is no piece if nothing is accepted.
 *
 * @throws WrongUse if the format is not for these files
 */
export const conversions: Readonly<
  Record<Target, (parts: Parts, version?: CamtVersion) => AsyncIterable<string>>
> = {
  json: (parts) => jsonArray(documentsOf(parts)),
  csv: csvOf,
  camt053: camt053Of,
};

/** Writes values as an array in JSON, one by one; nothing if there is none. */
export async function* jsonArray(values: AsyncIterable<unknown>): AsyncGenerator<string, void> {
  let before = '[';
  for await (const value of values) {
    yield `${before}\n  ${JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')}`;
    before = ',';
  }
  if (before === ',') yield '\n]\n';
}

async function* documentsOf(parts: Parts): AsyncGenerator<unknown, void> {
  for await (const { statement, bookings } of parts) {
    if (statement !== undefined) yield statement;
    yield* bookings.map((booking) => toJsonValue(booking));
  }
}

async function* csvOf(parts: Parts): AsyncGenerator<string, void> {
  let format: ReadPart['format'] | undefined;
  for await (const part of parts) {
    if (!isAccepted(part)) continue;
    if (format === undefined) yield csvColumns[part.format];
    else if (part.format !== format) {
      throw new WrongUse(
        'statements and payroll files have different columns: convert them one by one',
      );
    }
    format = part.format;
    if (part.statement !== undefined) yield statementRows(part.statement);
    yield* part.bookings.map(payrollRows);
  }
}

async function* camt053Of(parts: Parts, version: CamtVersion = '08'): AsyncGenerator<string, void> {
  let isBegun = false;
  for await (const { statement, bookings } of parts) {
    if (bookings.length > 0) {
      throw new WrongUse('a payroll file cannot be converted to CAMT.053');
    }
    if (statement === undefined) continue;
    if (!isBegun) yield camtStart(statement, version);
    isBegun = true;
    yield camtStatement(statement, version);
  }
  if (isBegun) yield camtEnd;
}
