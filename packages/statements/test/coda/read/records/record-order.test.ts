import { describe, expect, test } from 'vitest';
import { CodaRecord, charactersOf } from '../../../../src/coda/read/records/coda-record.js';
import {
  mayFollow,
  type RecordType,
  recordTypeOf,
} from '../../../../src/coda/read/records/record-order.js';

/** The record types of a statement. Another check reports a missing record 8. */
const statement = /^0 1( 21( 22)?( 23)?( 31( 32)?( 33)?)*)*( 8( 4)*)? 9$/;

/** For each type, the shortest beginning of a statement that ends with it, and its shortest end. */
const around: Readonly<Record<RecordType, readonly [beginning: string, end: string]>> = {
  '0': ['0', '1 9'],
  '1': ['0 1', '9'],
  '21': ['0 1 21', '9'],
  '22': ['0 1 21 22', '9'],
  '23': ['0 1 21 23', '9'],
  '31': ['0 1 21 31', '9'],
  '32': ['0 1 21 31 32', '9'],
  '33': ['0 1 21 31 33', '9'],
  '8': ['0 1 8', '9'],
  '4': ['0 1 8 4', '9'],
  '9': ['0 1 9', ''],
};
const types = Object.keys(around) as RecordType[];

describe('CODA records 0 to 9: the order is 0, 1, (21 [22] [23] (31 [32] [33])*)*, 8, 4*, 9', () => {
  test.each(types)('after a record %s', (previous) => {
    const [beginning] = around[previous];
    const allowed = types.filter((next) => {
      const [, end] = around[next];
      return statement.test(`${beginning} ${next} ${end}`.trimEnd());
    });
    expect(types.filter((next) => mayFollow(previous, next))).toEqual(allowed);
  });

  test('at the beginning', () => {
    expect(types.filter((next) => mayFollow(undefined, next))).toEqual(['0']);
  });

  test.each(types)('a record that starts with %s is one of that type', (type) => {
    expect(recordTypeOf(new CodaRecord(1, charactersOf(type.padEnd(128))))).toBe(type);
  });

  test.each(['', '20', '24', '2', '30', '34', '5', '6', '7', 'A', ' 1'])(
    'a line that starts with %j is not a record',
    (start) => {
      expect(recordTypeOf(new CodaRecord(1, charactersOf(start.padEnd(128))))).toBeUndefined();
    },
  );
});
