import { expect, test } from 'vitest';
import { FindingList } from '../../../../src/coda/finding-list.js';
import { categoryNames } from '../../../../src/coda/names/category-names.js';
import { CodaRecord, charactersOf } from '../../../../src/coda/read/records/coda-record.js';
import {
  checkTransactionCode,
  readTransactionCode,
} from '../../../../src/coda/read/records/transaction-code.js';

function findingsOf(code: string): string[] {
  const findings = new FindingList();
  const record = new CodaRecord(1, charactersOf(`${'21'.padEnd(53)}${code}`.padEnd(128)));
  checkTransactionCode(readTransactionCode(record, 54, findings), record, findings);
  return findings.toArray().map((finding) => finding.code);
}

test('CODA record 2.1, 55-56: the families are those of the standard', () => {
  const all = Array.from({ length: 100 }, (_, family) => String(family).padStart(2, '0'));
  const known = all.filter((family) => findingsOf(`0${family}01000`).length === 0);
  const inStandard = '01 02 03 04 05 07 09 11 13 30 35 41 43 47 80';
  expect(known.join(' ')).toBe(inStandard);
});

test('CODA record 2.1, 59-61: the categories are 000, those with a name, and 700 to 999', () => {
  const all = Array.from({ length: 1000 }, (_, category) => String(category).padStart(3, '0'));
  const known = all.filter((category) => findingsOf(`00101${category}`).length === 0);
  const ofBanks = all.filter((category) => category >= '700');
  expect(known).toEqual(['000', ...categoryNames.en.keys(), ...ofBanks]);
});

test.each([
  ['00101000', []],
  ['90150000', []],
  ['40101000', ['unknownTransactionCode']],
  ['00100000', ['unknownTransactionCode']],
  ['00000000', ['transactionCodeZero']],
  ['00600300', ['unknownTransactionCode', 'unknownCategory']],
  ['0010A000', ['digits']],
])('CODA record 2.1, 54-61: %s has the findings %j', (code, codes) => {
  expect(findingsOf(code)).toEqual(codes);
});
