import { expect, test } from 'vitest';
import type { ReadCodaOptions } from '../../../src/index.js';
import { changed, codesOf, fileOf, linesOf, readAll } from '../coda-file.js';
import { sample } from '../sample-statement.js';

const lines = linesOf(sample);
const change = (start: string, position: number, characters: string) =>
  changed(lines, start, position, characters);
const insert = (index: number, ...others: string[]) => lines.toSpliced(index, 0, ...others);
const wrongBalance = (given: readonly string[]) => changed(given, '8', 43, '000000001220990');
const separate = changed(lines, '0', 84, '00001');

// No other finding follows from the one cause.
test.each<[string, Uint8Array, string[], ReadCodaOptions?]>([
  ['blank lines inside', fileOf(insert(3, '', ' ')), ['blankLine']],
  ['blank lines inside twice', fileOf(insert(3, '').toSpliced(7, 0, '')), ['blankLine']],
  ['an unknown record', fileOf(insert(3, 'X'.repeat(128))), ['recordType']],
  [
    'two unknown records',
    fileOf(insert(3, 'X'.repeat(128)).with(9, 'Y')),
    ['recordType', 'lineLength'],
  ],
  ['a record 0 that is no header', fileOf(insert(3, `0${'x'.repeat(127)}`)), ['recordOrder']],
  ['record 1 twice', fileOf(insert(2, lines[1] ?? '')), ['recordOrder']],
  ['record 8 twice', fileOf(insert(19, lines[18] ?? '')), ['recordOrder']],
  [
    'record 1 twice, and a wrong balance',
    fileOf(wrongBalance(insert(2, lines[1] ?? ''))),
    ['recordOrder'],
  ],
  ['a count that is no number', fileOf(change('9', 17, '00001x')), ['digits']],
  ['an old balance that is no number', fileOf(change('1', 44, 'x')), ['digits']],
  ['the wrong balance of a separate application', fileOf(wrongBalance(separate)), []],
  ['a BIC with its branch', fileOf(lines), [], { bicOfBankCode: () => 'GKCCBEBBXXX' }],
  ['a bank that is unknown', fileOf(lines), [], { bicOfBankCode: () => undefined }],
  [
    'no BIC in the header',
    fileOf(change('0', 61, ' '.repeat(11))),
    [],
    { bicOfBankCode: () => 'KREDBEBB' },
  ],
])('CODA: of %s, only the cause is reported', async (_, bytes, codes, options) => {
  expect(codesOf(await readAll(bytes, options))).toEqual(codes);
});

test('CODA: the bank of an account is asked for by the three digits of its code', async () => {
  const asked: string[] = [];
  const bicOfBankCode = (code: string) => {
    asked.push(code);
    return undefined;
  };
  await readAll(fileOf(lines), { bicOfBankCode });
  const foreign = {
    ...sample,
    account: { ...sample.account, structure: 3, number: 'NL91ABNA0417164300' },
  } as const;
  await readAll(fileOf(linesOf(foreign)), { bicOfBankCode });
  expect(asked).toEqual(['096']);
});

test('CODA: an empty file is one result without bytes', async () => {
  const expected = {
    bytes: new Uint8Array(),
    range: { start: 0, end: 0 },
    firstRecord: 1,
    omittedFindings: 0,
  };
  expect(await readAll(new Uint8Array())).toMatchObject([expected]);
  expect(await readAll([])).toMatchObject([expected]);
});
