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

const ZERO = 0x30;
const movementParts: readonly (RecordType | undefined)[] = [undefined, '21', '22', '23'];
const informationParts: readonly (RecordType | undefined)[] = [undefined, '31', '32', '33'];

/** The type of a record; undefined if it is unknown. */
export function recordTypeOf(record: CodaRecord): RecordType | undefined {
  switch (record.byteAt(1) - ZERO) {
    case 0:
      return '0';
    case 1:
      return '1';
    case 2:
      return movementParts[record.byteAt(2) - ZERO];
    case 3:
      return informationParts[record.byteAt(2) - ZERO];
    case 4:
      return '4';
    case 8:
      return '8';
    case 9:
      return '9';
    default:
      return undefined;
  }
}

const first: readonly RecordType[] = ['0'];

/** The records that may follow another one, or may start a statement (undefined). */
export function successorsOf(previous: RecordType | undefined): readonly RecordType[] {
  return previous === undefined ? first : successors[previous];
}

/** True if a record may follow another one, or may start a statement (undefined). */
export function mayFollow(previous: RecordType | undefined, next: RecordType): boolean {
  return successorsOf(previous).includes(next);
}

/** True if the trailer counts records of this type (17-22). */
export function isCounted(type: RecordType): boolean {
  return type !== '0' && type !== '4' && type !== '9';
}

/**
 * True if a line of the wrong length is one record of this type: it is neither a part of a record
 * nor several records, and has the numbers that follow the type.
 */
export function isRecognisable(type: RecordType, record: CodaRecord): boolean {
  if (record.length < 64 || record.length >= 256) return false;
  if (type.length === 2) return record.digits(3, 10) !== -1;
  return type === '4' || type === '9' || record.digits(3, 4) !== -1;
}
