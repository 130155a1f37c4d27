import { describe, expect, test } from 'vitest';
import { changed, codesOf, fileOf, linesOf, readAll } from '../coda-file.js';
import { sample, transfer } from '../sample-statement.js';

const lines = linesOf(sample);
const wrongEnd = changed(changed(lines, '8', 43, '000000009999990'), '9', 17, '000099');
const wrongTotals = changed(changed(wrongEnd, '9', 23, '000000000000010'), '9', 38, '9');

const wrongInEnd = ['balance', 'trailerCount', 'trailerDebitTotal', 'trailerCreditTotal'];

/** Returns the lines with one line replaced, without it, or with more lines after it. */
function edited(
  given: readonly string[],
  start: string,
  edit: (line: string) => readonly string[],
): string[] {
  const index = given.findIndex((line) => line.startsWith(start));
  const line = given[index] ?? expect.fail();
  return [...given.slice(0, index), ...edit(line), ...given.slice(index + 1)];
}

const codes = async (given: readonly string[]) => codesOf(await readAll(fileOf(given)));

type Fault = readonly [name: string, code: string, start: string, edit: (line: string) => string[]];

/** Faults that leave all amounts and the count of records known. */
const harmless: readonly Fault[] = [
  ['a date', 'date', '21', (l) => [`${l.slice(0, 47)}310226${l.slice(53)}`]],
  ['a sequence number', 'sequenceNumber', '210003', (l) => [`210007${l.slice(6)}`]],
  ['a letter in a sequence number', 'digits', '210003', (l) => [`21000X${l.slice(6)}`]],
  ['a letter in a detail number', 'digits', '210003', (l) => [`210003000X${l.slice(10)}`]],
  ['a next code', 'nextCode', '22', (l) => [`${l.slice(0, 125)}0${l.slice(126)}`]],
  ['the key of a record 2.2', 'continuationKey', '22', (l) => [`220001000900${l.slice(12)}`]],
  ['a record 2.3 that is too short', 'lineLength', '23', (l) => [l.slice(0, 127)]],
  ['a record 3.1 that is too long', 'lineLength', '31', (l) => [`${l}x`]],
  ['a blank line', 'blankLine', '22', (l) => ['', l]],
  ['a detail that is too long', 'lineLength', '2100020001', (l) => [`${l}x`]],
];

describe('CODA records 8 and 9: an earlier error does not hide balance, count and totals', () => {
  test.each(harmless)('%s', async (_, code, start, edit) => {
    // Warnings are not the subject here.
    expect(await codes(edited(lines, start, edit))).toEqual([code]);
    expect(await codes(edited(wrongTotals, start, edit))).toEqual([code, ...wrongInEnd]);
  });

  test('records in the wrong order', async () => {
    const swapped = (given: readonly string[]) =>
      given.with(3, given[4] ?? expect.fail()).with(4, given[3] ?? expect.fail());
    expect(await codes(swapped(lines))).toEqual(['recordOrder']);
    expect(await codes(swapped(wrongTotals))).toEqual(['recordOrder', ...wrongInEnd]);
  });
});

describe('CODA records 8 and 9: nothing is reported that only follows from another finding', () => {
  const digitsOf21: Fault[2] = '210003';
  test.each([
    [
      'an amount that cannot be read',
      'digits',
      digitsOf21,
      (l) => [`${l.slice(0, 40)}O${l.slice(41)}`],
    ],
    ['a sign that cannot be read', 'sign', digitsOf21, (l) => [`${l.slice(0, 31)}2${l.slice(32)}`]],
    ['a record 2.1 that is too long', 'lineLength', digitsOf21, (l) => [`${l}x`]],
    ['a record of unknown type', 'recordType', digitsOf21, (l) => [`X${l.slice(1)}`]],
    [
      'a movement with the number of a detail',
      'sequenceNumber',
      digitsOf21,
      (l) => [`2100030001${l.slice(10)}`],
    ],
    ['a missing record 1', 'recordOrder', '1', () => []],
    ['a record 1 that is too long', 'lineLength', '1', (l) => [`${l}x`]],
    ['a record 8 that is too long', 'lineLength', '8', (l) => [`${l}x`]],
    [
      'a new balance that cannot be read',
      'digits',
      '8',
      (l) => [`${l.slice(0, 50)}O${l.slice(51)}`],
    ],
    ['a trailer that is too long', 'lineLength', '9', (l) => [`${l}x`]],
    ['totals that cannot be read', 'digits', '9', (l) => [`${l.slice(0, 30)}O${l.slice(31)}`]],
    ['a header that is too long', 'lineLength', '0', (l) => [`${l}x`]],
    ['a record cut in two', 'lineLength', digitsOf21, (l) => [l.slice(0, 50), l.slice(50)]],
  ] as Fault[])('%s', async (_, code, start, edit) => {
    expect([...new Set(await codes(edited(lines, start, edit)))]).toEqual([code]);
  });

  test('two records in one line', async () => {
    const found = await codes(edited(lines, '220001', (line) => [`${line}x${line}`]));
    expect(found).toEqual(['lineEndMissing', 'lineLength']);
  });

  test('a lost amount: the totals of the trailer still show that the balance is wrong', async () => {
    const lost = edited(wrongEnd, '210003', (line) => [`${line}x`]);
    expect(await codes(lost)).toEqual(['lineLength', 'balance', 'trailerCount']);
  });

  test('a lost amount: totals of the trailer that cannot be read tell nothing of the balance', async () => {
    const lost = edited(changed(lines, '9', 38, 'X'), '210003', (line) => [`${line}x`]);
    expect(await codes(lost)).toEqual(['lineLength', 'digits']);
  });

  test('a missing movement: its number, the balance and the trailer each show it', async () => {
    const plain = linesOf({
      ...sample,
      movements: [transfer, transfer, transfer].map((one) => ({
        ...one,
        counterparty: {},
        customerReference: '',
      })),
    });
    expect(await codes(edited(plain, '210002', () => []))).toEqual([
      'sequenceNumber',
      'balance',
      'trailerCount',
      'trailerCreditTotal',
    ]);
  });

  test('a missing record 2.1 does not make the balance wrong', async () => {
    const found = await codes(edited(lines, '210001', () => []));
    expect(found).toEqual(['recordOrder']);
  });
});

describe('CODA record 0: blanks in place of digits', () => {
  test.each([
    [12, '   ', 'bankCode', '000'],
    [12, ' 96', 'bankCode', '096'],
    [72, '  403019261', 'enterpriseNumber', '0403019261'],
    [84, '     ', 'separateApplication', '00000'],
  ] as const)('position %i, “%s”: %s is %s', async (position, blanks, name, value) => {
    const [result] = await readAll(fileOf(changed(lines, '0', position, blanks)));
    expect(codesOf(result ? [result] : [])).toEqual(['headerFieldBlank']);
    expect(result?.statement?.header[name]).toBe(value);
  });
});

test('CODA record 1: the paper number may be the day of the creation date', async () => {
  expect(await codes(changed(lines, '1', 3, '035'))).toEqual(['paperNumberIsDayOfYear']);
  expect(await codes(changed(lines, '1', 3, '036'))).toEqual([]);
});

test('CODA record 2.3: the extension zone of an old account number is no part of the account', async () => {
  const given = changed(lines, '23', 11, '096123456769 EUR0BE   EXTENSION ZONE ');
  const [result] = await readAll(fileOf(given));
  expect(result?.findings).toEqual([]);
  expect(result?.statement?.movements[0]?.counterparty).toMatchObject({
    account: '096123456769',
    currency: 'EUR',
  });
});

test('CODA U+FFFD: it is also found where its bytes are read in a code page', async () => {
  const bytes = Buffer.from(fileOf(lines));
  bytes.write('\uFFFD', bytes.indexOf('ACME NV'));
  const [result] = await readAll(bytes);
  expect(result?.statement?.encoding).toBe('windows-1252');
  expect(result?.findings).toMatchObject([
    { code: 'replacementCharacter', record: 1, position: 35 },
  ]);
});
