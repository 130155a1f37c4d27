import { expect, test } from 'vitest';
import { looksLikeCoda } from '../../../../src/coda/read/read-coda.js';
import { CodaRecord, charactersOf } from '../../../../src/coda/read/records/coda-record.js';
import { readNewBalance, readOldBalance } from '../../../../src/coda/read/records/read-balances.js';
import { FreeCommunications } from '../../../../src/coda/read/records/read-free-communication.js';
import { readHeader } from '../../../../src/coda/read/records/read-header.js';
import { isCutTrailer, readTrailer } from '../../../../src/coda/read/records/read-trailer.js';
import type { Account } from '../../../../src/index.js';
import { reading, record } from './read-record.js';

test('CODA records: characters outside the BMP take one position, also in a field that is truncated or padded', () => {
  const one = new CodaRecord(1, charactersOf('ab\u{1f600}cd  '));
  expect(one.length).toBe(7);
  expect(one.text(2, 4)).toBe('b\u{1f600}c');
  expect(one.padded(3, 3)).toBe('\u{1f600}');
  expect(one.padded(2, 9)).toBe('b\u{1f600}cd    ');
  expect([one.text(6, 7), one.text(8, 9)]).toEqual(['', '']);
  const other = new CodaRecord(1, charactersOf('abcd'));
  expect([other.padded(2, 3), other.padded(3, 6), other.text(3, 6)]).toEqual(['bc', 'cd  ', 'cd']);
});

test('CODA records: only ASCII digits and blanks are digits and blanks', () => {
  // The low bytes of U+0130 and U+0120 are those of a zero and a blank.
  const one = new CodaRecord(1, charactersOf('1\u0130 \u0120 \u00A0'));
  expect([one.digits(1, 1), one.digits(1, 2)]).toEqual([1, -1]);
  expect([one.notBlank(3, 3), one.notBlank(3, 4), one.notBlank(5, 6)]).toEqual([0, 4, 6]);
});

const header = (fields: string) =>
  record(1, `1 0 | 2 0000 | 6 040226 | 12 096 | 15 05 | 84-88 0 | 128 2 | ${fields}`);

test.each([
  [' ', []],
  ['D', ['duplicate 1:17']],
  ['x', ['headerConstant 1:17']],
] as const)('CODA record 0, 17: %j for a duplicate', (mark, findings) => {
  const read = reading((list) => readHeader(header(`17 ${mark}`), list));
  expect(read).toMatchObject({ result: { duplicate: mark === 'D' }, findings });
});

test('CODA record 0, 6-11: a file has a date of creation', () => {
  const read = reading((list) => readHeader(header('6-11 0'), list));
  expect(read).toMatchObject({ result: { creationDate: '' }, findings: ['date 1:6'] });
});

test.each([
  ['', '', []],
  ['0'.repeat(11), '', []],
  ['00403019261', '0403019261', []],
  ['0403019261', '0403019261', ['headerFieldBlank 1:72']],
  ['0403 019 26', '0040301926', ['headerFieldBlank 1:72']],
  ['0403.019.26', '', ['digits 1:72']],
] as const)(
  'CODA record 0, 72-82: %j is read as enterprise number %j',
  (written, number, findings) => {
    const read = reading((list) => readHeader(header(`72 ${written}`), list));
    expect(read).toMatchObject({ result: { enterpriseNumber: number }, findings });
  },
);

const account: Account = {
  ...{ structure: 2, number: 'BE71096123456769', iban: 'BE71096123456769', currency: 'EUR' },
  ...{ extension: 'ABC', qualifier: '', country: '', holder: '', description: '' },
};
const oldAccount: Account = { ...account, structure: 0, number: '096123456769' };
const newBalance = (fields: string) =>
  record(8, `1 8 | 2-4 0 | 42 0 | 43-57 0 | 58 030226 | ${fields}`);

test.each([
  [account, '5 BE71096123456769 | 36 ABCEUR', []],
  [account, '5 BE54000000000097 | 36 ABCEUR', ['accountMismatch 8:5']],
  [account, '5 BE71096123456769 | 36 ABCUSD', ['currencyMismatch 8:39']],
  [account, '5 BE71096123456769 | 36 XYZEUR', ['accountMismatch 8:36']],
  [account, '5 BE71096123456769 | 39 EUR', []],
  [{ ...account, extension: '' }, '5 BE71096123456769 | 36 XYZEUR', []],
  [oldAccount, '5 096123456769 EUR | 27 ABC', []],
  [oldAccount, '5 096123456769 USD | 27 ABC', ['currencyMismatch 8:18']],
  [oldAccount, '5 096123456769 EUR | 27 XYZ', ['accountMismatch 8:27']],
  [undefined, '5 BE54000000000097', []],
] as const)('CODA record 8, 5-41: the account is that of record 1 (%#)', (of, fields, findings) => {
  const read = reading((list) => readNewBalance(newBalance(fields), of, list));
  expect(read).toMatchObject({ result: { date: '2026-02-03' }, findings });
});

const oldBalance = (fields: string) =>
  record(
    2,
    `1 12 | 3-5 0 | 6 BE71096123456769 | 40 EUR0 | 44-58 0 | 59 020226 | 126-128 0 | ${fields}`,
  );

test.each([
  [false, '2 2', []],
  [false, '59-64 0', ['date 2:59']],
  [true, '59-64 0', []],
  [false, '2 4', ['accountStructure 2:2']],
] as const)(
  'CODA record 1, 59-64: the old balance has a date, except in a separate application (%#)',
  (isSeparate, fields, findings) => {
    const read = reading((list) => readOldBalance(oldBalance(fields), isSeparate, list));
    expect(read.findings).toEqual(findings);
  },
);

test.each([
  ['1.0', ['1.0'], []],
  ['1.0 1.1 2.0', ['1.0 1.1', '2.0'], []],
  ['0.1', ['0.1'], ['freeCommunicationNumber 1:3']],
  ['2.0', ['2.0'], ['freeCommunicationNumber 1:3']],
  ['1.1', ['1.1'], ['freeCommunicationNumber 1:3']],
  ['1.0 3.0', ['1.0', '3.0'], ['freeCommunicationNumber 2:3']],
  ['1.0 1.0', ['1.0 1.0'], ['freeCommunicationNumber 2:3']],
  ['1.0 1.2', ['1.0 1.2'], ['freeCommunicationNumber 2:3']],
  ['1.0 2.1', ['1.0', '2.1'], ['freeCommunicationNumber 2:3']],
] as const)('CODA record 4, 3-10: %s are messages %j', (numbers, messages, findings) => {
  const communications = new FreeCommunications();
  const read = reading((list) => {
    for (const [index, number] of numbers.split(' ').entries()) {
      const key = number.replace(/\d/g, (digit) => digit.padStart(4, '0')).replace('.', '');
      communications.take(record(index + 1, `1 4 | 3 ${key} | 33 ${number}`), list);
    }
  });
  expect(communications.messages.map(({ lines }) => lines.join(' '))).toEqual(messages);
  expect(read.findings).toEqual(findings);
});

const trailer = (fields: string) => record(9, `1 9 | 17-52 0 | ${fields}`);

test.each([
  ['1', true, true, []],
  ['1', false, true, ['trailerNotLast 9:128']],
  ['2', false, false, []],
  ['2', true, false, ['lastThoughFollowed 9:128']],
  ['3', true, undefined, ['multipleFileCode 9:128']],
  ['x', false, undefined, ['multipleFileCode 9:128']],
  [' ', false, undefined, ['trailerCut 9:128']],
] as const)(
  'CODA record 9, 128: %j, another statement follows (%s): %s',
  (code, isFollowed, anotherFollows, findings) => {
    const read = reading((list) => readTrailer(trailer(`128 ${code}`), isFollowed, list));
    expect(read).toMatchObject({ result: { anotherFollows }, findings });
  },
);

test.each([
  ['9', 51, false],
  ['9', 52, true],
  ['9', 127, true],
  ['9', 128, false],
  ['8', 60, false],
])(
  'CODA record 9: %s with %i positions is a trailer without its trailing blanks: %s',
  (type, length, isCut) => {
    expect(isCutTrailer(new CodaRecord(1, charactersOf(type.padEnd(length))))).toBe(isCut);
  },
);

test.each([
  ['0000004022609605        x', true],
  ['0000004022609605D       x', true],
  ['\xef\xbb\xbf0000004022609605        x', true],
  ['x0000004022609605        x', false],
  ['0000004022609605       x ', false],
  ['0000004022609605 x      ', false],
  ['0000004022609605x       ', false],
])('CODA record 0, 1-24: %j is the beginning of a file: %s', (start, isCoda) => {
  expect(looksLikeCoda(Buffer.from(start, 'latin1'))).toBe(isCoda);
});
