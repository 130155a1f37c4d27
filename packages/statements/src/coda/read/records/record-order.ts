import type { CodaRecord } from './coda-record.js';

/** The record types; 2 and 3 with the digit of their part. */
export type RecordType = '0' | '1' | '21' | '22' | '23' | '31' | '32' | '33' | '8' | '4' | '9';

const afterMovement: readonly RecordType[] = ['21', '31', '8', '9'];

/**
 * The records that may follow each record: `0, 1, (21 [22] [23] (31 [32] [33])*)*, 8, 4*, 9`.
 * Record 8 may be missing if there are no movements; otherwise that is a finding of its own.
 */
const successors: Readonly<Record<RecordType, readonly RecordType[]>> = {
  '0': ['1'],
  '1': ['21', '8', '9'],
  '21': ['22', '23', ...afterMovement],
  '22': ['23', ...afterMovement],
  '23': afterMovement,
  '31': ['32', '33', ...afterMovement],
  '32': ['33', ...afterMovement],
  '33': afterMovement,
  '8': ['4', '9'],
  '4': ['4', '9'],
  '9': [],
};

/** The type of a record; undefined if it is unknown. */
export function recordTypeOf({ line }: CodaRecord): RecordType | undefined {
  const first = line[0];
  switch (first) {
    case '0':
    case '1':
    case '4':
    case '8':
    case '9':
      return first;
    case '2':
    case '3': {
      const part = line[1];
      return part === '1' || part === '2' || part === '3' ? `${first}${part}` : undefined;
    }
    default:
      return undefined;
  }
}

/** True if a record may follow another one, or may start a statement (undefined). */
export function mayFollow(previous: RecordType | undefined, next: RecordType): boolean {
  return previous === undefined ? next === '0' : successors[previous].includes(next);
}
