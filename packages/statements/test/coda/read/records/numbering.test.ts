import { expect, test } from 'vitest';
import { FindingList } from '../../../../src/coda/finding-list.js';
import { CodaRecord, charactersOf } from '../../../../src/coda/read/records/coda-record.js';
import { Numbering } from '../../../../src/coda/read/records/record-group.js';

/** The numbers 3-10 of records, as `21 0001 0000`. */
type Numbers = readonly string[];

/** Checks records in turn. @returns the findings, and the numbers that start a movement */
function take(numbers: Numbers, check = true): { findings: string[]; starts: string[] } {
  const numbering = new Numbering();
  const findings = new FindingList();
  const starts: string[] = [];
  for (const [index, text] of numbers.entries()) {
    const [type = '', sequence = '', detail = ''] = text.split(' ');
    const record = new CodaRecord(index, charactersOf(`${type}${sequence}${detail}`.padEnd(128)));
    const key = numbering.take(record, type === '21', check, findings);
    if (key.startsMovement) starts.push(`${four(key.sequence)} ${four(key.detail)}`);
  }
  const listed = findings.toArray();
  return {
    findings: listed.map(({ code, record, position }) => `${code} ${record}:${position}`),
    starts,
  };
}

const four = (number: number): string => String(number).padStart(4, '0');

test.each<[string, Numbers, string[]]>([
  ['one movement after the other', ['21 0001 0000', '21 0002 0000', '21 0003 0000'], []],
  ['information and details', ['21 0001 0000', '31 0001 0001', '21 0001 0002', '31 0001 0003'], []],
  ['a first sequence number of 2', ['21 0002 0000', '21 0003 0000'], ['sequenceNumber 0:3']],
  ['a first sequence number of 0', ['21 0000 0000', '21 0001 0000'], ['sequenceNumber 0:3']],
  ['a first detail number of 1', ['21 0001 0001', '21 0001 0002'], ['detailNumber 0:7']],
  [
    'a missing sequence number',
    ['21 0001 0000', '21 0003 0000', '21 0004 0000'],
    ['sequenceNumber 1:3'],
  ],
  [
    'the same sequence number again',
    ['21 0001 0000', '21 0001 0000', '21 0002 0000'],
    ['sequenceNumber 1:3'],
  ],
  [
    'a detail number left out',
    ['21 0001 0000', '31 0001 0002', '31 0001 0003'],
    ['detailNumber 1:7'],
  ],
  [
    'the same detail number again',
    ['21 0001 0000', '31 0001 0001', '31 0001 0001'],
    ['detailNumber 2:7'],
  ],
  [
    'a detail of another movement',
    ['21 0001 0000', '21 0002 0001', '21 0002 0002'],
    ['sequenceNumber 1:3'],
  ],
  ['information on another movement', ['21 0001 0000', '31 0002 0001'], ['sequenceNumber 1:3']],
  [
    'one wrong sequence number in the middle',
    ['21 0001 0000', '21 0007 0000', '31 0002 0001', '21 0003 0000'],
    ['sequenceNumber 1:3'],
  ],
  [
    'a gap with a continuation',
    ['21 0001 0000', '21 0007 0000', '31 0007 0001', '21 0008 0000'],
    ['sequenceNumber 1:3'],
  ],
  [
    'a number that cannot be read',
    ['21 0001 0000', '21 00X2 0000', '31 0002 0001'],
    ['digits 1:3'],
  ],
  ['information with detail number 0', ['21 0001 0000', '31 0001 0000'], ['detailNumber 1:7']],
])('CODA records 2.1 and 3.1, 3-10: %s', (_, numbers, findings) => {
  expect(take(numbers).findings).toEqual(findings);
  const unchecked = take(numbers, false).findings;
  expect(unchecked).toEqual(findings.filter((finding) => finding.startsWith('digits')));
});

test('CODA record 2.1, 7-10: detail number 0000 starts a movement, and so does the first record', () => {
  const numbers = ['21 0001 0003', '31 0001 0000', '21 0001 0001', '21 0002 0000', '31 0002 0001'];
  expect(take(numbers).starts).toEqual(['0001 0003', '0002 0000']);
});

test('CODA record 2.1, 3-6: after sequence number 9999 comes 0000, then 0001', () => {
  const numbers = Array.from(
    { length: 10_001 },
    (_, index) => `21 ${four((index + 1) % 10_000)} 0000`,
  );
  const { findings, starts } = take(numbers);
  expect(findings).toEqual([]);
  expect(starts.slice(-3)).toEqual(['9999 0000', '0000 0000', '0001 0000']);
});

test('CODA records 2.1 and 3.1, 7-10: after detail number 9999 comes 0000, then 0001, of the same movement', () => {
  const numbers = Array.from({ length: 10_002 }, (_, index) => `21 0001 ${four(index % 10_000)}`);
  expect(take(numbers)).toEqual({ findings: [], starts: ['0001 0000'] });
  expect(take([...numbers.slice(0, 10_000), '21 0002 0000']).starts).toHaveLength(2);
});
