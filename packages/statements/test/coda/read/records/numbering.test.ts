import { expect, test } from 'vitest';
import { FindingList } from '../../../../src/coda/finding-list.js';
import { CodaRecord, charactersOf } from '../../../../src/coda/read/records/coda-record.js';
import { Numbering } from '../../../../src/coda/read/records/record-group.js';

const four = (number: number | string): string => String(number).padStart(4, '0');

/**
 * Checks movements (`M1.0`) and information (`I1.1`). Returns the numbers that start a movement.
 */
function take(numbers: string, check = true): { findings: string[]; starts: string[] } {
  const numbering = new Numbering();
  const findings = new FindingList();
  const starts: string[] = [];
  for (const [index, text] of numbers.split(' ').entries()) {
    const [, type, sequence = '', detail = ''] = /^([MI])(\w+)\.(\d+)$/.exec(text) ?? [];
    const start = `${type === 'M' ? '21' : '31'}${four(sequence)}${four(detail)}`;
    const record = new CodaRecord(index, charactersOf(start.padEnd(128)));
    const key = numbering.take(record, type === 'M', check, findings);
    if (key.startsMovement) starts.push(`${key.sequence}.${key.detail}`);
  }
  const listed = findings.toArray();
  return {
    findings: listed.map(({ code, record, position }) => `${code} ${record}:${position}`),
    starts,
  };
}

test.each([
  ['one movement after the other', 'M1.0 M2.0 M3.0', []],
  ['information and details', 'M1.0 I1.1 M1.2 I1.3', []],
  ['a first sequence number of 2', 'M2.0 M3.0', ['sequenceNumber 0:3']],
  ['a first sequence number of 0', 'M0.0 M1.0', ['sequenceNumber 0:3']],
  ['a first detail number of 1', 'M1.1 M1.2', ['detailNumber 0:7']],
  ['a missing sequence number', 'M1.0 M3.0 M4.0', ['sequenceNumber 1:3']],
  ['the same sequence number again', 'M1.0 M1.0 M2.0', ['sequenceNumber 1:3']],
  ['a detail number left out', 'M1.0 I1.2 I1.3', ['detailNumber 1:7']],
  ['the same detail number again', 'M1.0 I1.1 M1.1', ['detailNumber 2:7']],
  ['a detail of another movement', 'M1.0 M2.1 M2.2', ['sequenceNumber 1:3']],
  ['information on another movement', 'M1.0 I2.1', ['sequenceNumber 1:3']],
  ['one wrong sequence number in the middle', 'M1.0 M7.0 I2.1 M3.0', ['sequenceNumber 1:3']],
  ['a gap with a continuation', 'M1.0 M7.0 I7.1 M8.0', ['sequenceNumber 1:3']],
  ['a number that cannot be read', 'M1.0 MX2.0 I2.1', ['digits 1:3']],
  [
    'information with the number of its movement',
    'M1.0 I1.0 M1.1',
    ['informationNumberRepeated 1:7'],
  ],
  [
    'information with the number of information',
    'M1.0 I1.1 I1.1',
    ['informationNumberRepeated 2:7'],
  ],
])('CODA records 2.1 and 3.1, 3-10: %s', (_, numbers, findings) => {
  expect(take(numbers).findings).toEqual(findings);
  const unchecked = take(numbers, false).findings;
  expect(unchecked).toEqual(findings.filter((finding) => finding.startsWith('digits')));
});

test('CODA record 2.1, 7-10: detail number 0000 starts a movement, and so does the first record', () => {
  expect(take('M1.3 I1.0 M1.1 M2.0 I2.1').starts).toEqual(['1.3', '2.0']);
});

/** Returns records with the numbers from one to another, which have four digits. */
const numbered = (from: number, to: number, write: (number: number) => string) =>
  Array.from({ length: to - from + 1 }, (_, index) => write((from + index) % 10_000)).join(' ');

test('CODA records 2.1 and 3.1, 7-10: after detail number 9999 comes 0000, then 0001, of the same movement', () => {
  const detail = (number: number) => `M1.${number}`;
  expect(take(numbered(0, 10_001, detail))).toEqual({ findings: [], starts: ['1.0'] });
  expect(take(`${numbered(0, 9_999, detail)} M2.0`).starts).toHaveLength(2);
});
