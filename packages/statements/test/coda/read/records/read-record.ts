import { FindingList } from '../../../../src/coda/finding-list.js';
import { CodaRecord, charactersOf } from '../../../../src/coda/read/records/coda-record.js';
import { recordOf } from '../../coda-file.js';

/** Returns the record with these fields, and a record number. */
export const record = (number: number, fields: string) =>
  new CodaRecord(number, charactersOf(recordOf(fields)));

/** Calls a reader. Returns its result, and its findings as `code record:position`. */
export function reading<Result>(read: (findings: FindingList) => Result) {
  const list = new FindingList();
  const result = read(list);
  const findings = list
    .toArray()
    .map(({ code, record, position }) => `${code} ${record}:${position}`);
  return { result, findings };
}
