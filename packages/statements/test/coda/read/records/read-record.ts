import { FindingList } from '../../../../src/coda/finding-list.js';
import { CodaRecord, charactersOf } from '../../../../src/coda/read/records/coda-record.js';
import { type Field, recordOf } from '../../coda-file.js';

/** Returns the record of a line, with a record number. */
export const record = (number: number, ...fields: readonly Field[]) =>
  new CodaRecord(number, charactersOf(recordOf(...fields)));

/** Calls a reader. Returns its result, and its findings as `code record:position`. */
export function reading<Result>(read: (findings: FindingList) => Result) {
  const list = new FindingList();
  const result = read(list);
  const findings = list
    .toArray()
    .map(({ code, record, position }) => `${code} ${record}:${position}`);
  return { result, findings };
}

/** Returns a field of zeros. */
export const digitsOf = (from: number, to: number): Field => [from, '0'.repeat(to - from + 1)];
