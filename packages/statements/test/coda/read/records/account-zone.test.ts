import { expect, test } from 'vitest';
import { FindingList } from '../../../../src/coda/finding-list.js';
import {
  checkAccount,
  readAccountStructure,
  readAccountZone,
} from '../../../../src/coda/read/records/account-zone.js';
import { CodaRecord, charactersOf } from '../../../../src/coda/read/records/coda-record.js';
import type { AccountStructure } from '../../../../src/index.js';

const iban = 'BE71096123456769';
const foreign = 'NL91ABNA0417164300';

/** Returns record 1 with a structure in position 2 and an account from position 6 on. */
const record = (structure: string, account: string) =>
  new CodaRecord(1, charactersOf(`1${structure}042${account}`.padEnd(128)));

function read(structure: AccountStructure, account: string) {
  const findings = new FindingList();
  const { isIban, ...zone } = readAccountZone(record(String(structure), account), 6, structure);
  const line = record(String(structure), account);
  checkAccount({ isIban, ...zone }, structure, line, findings);
  return { ...zone, findings: findings.toArray().map(({ code }) => code) };
}

test('CODA record 1, 6-42: a Belgian account number with its currency, country and extension', () => {
  expect(read(0, `096123456769 EUR0BE${''.padEnd(3)}an extension`)).toEqual({
    ...{ number: '096123456769', iban, currency: 'EUR', qualifier: '0', country: 'BE' },
    ...{ extension: 'an extension', hasSpaces: false, findings: [] },
  });
  expect(read(0, '096123456768 EUR')).toMatchObject({
    ...{ number: '096123456768', iban: undefined, findings: ['bbanCheckDigits'] },
  });
});

test('CODA record 1, 6-42: a foreign account number is not an IBAN', () => {
  expect(read(1, `${'12345678901234567890123456789012AB'}EUR`)).toEqual({
    ...{ number: '12345678901234567890123456789012AB', iban: undefined, currency: 'EUR' },
    ...{ qualifier: '', country: '', extension: '', hasSpaces: false, findings: [] },
  });
});

test('CODA record 1, 6-42: an account that looks like an IBAN and is none has a warning', () => {
  const wrong = 'NL92ABNA0417164300';
  expect(read(1, `${wrong.padEnd(34)}EUR`)).toMatchObject({
    ...{ number: wrong, iban: undefined, findings: ['counterpartyIban'] },
  });
});

test.each([
  [1, 'nl91abna0417164300', foreign, ['ibanAsOtherNumber']],
  [2, 'be71 0961 2345 6769', iban, ['spacesInAccount']],
  [3, 'nl91abna0417164300', foreign, []],
] as const)(
  'CODA record 1, 6-42: structure %i with the IBAN %s in lower case is read in upper case',
  (structure, account, expected, findings) => {
    expect(read(structure, account)).toMatchObject({ number: expected, iban: expected, findings });
  },
);

test('CODA record 1, 6-42: an IBAN of Belgium has 16 positions, and an extension', () => {
  expect(read(2, `${iban.padEnd(31)}EXTEUR`)).toEqual({
    ...{ number: iban, iban, currency: 'EUR', qualifier: '', country: '' },
    ...{ extension: 'EXT', hasSpaces: false, findings: [] },
  });
  expect(read(2, `${iban}more`.padEnd(34))).toMatchObject({ number: iban, findings: [] });
});

test('CODA record 1, 6-42: an IBAN of another country has up to 34 positions, and no extension', () => {
  const longest = 'MT31MALT01100000000000000000123';
  expect(read(3, `${longest.padEnd(34)}EUR`)).toEqual({
    ...{ number: longest, iban: longest, currency: 'EUR', qualifier: '', country: '' },
    ...{ extension: '', hasSpaces: false, findings: [] },
  });
});

test.each([
  [2, 'BE72096123456769', ['ibanCheckDigits']],
  [2, foreign, ['ibanCheckDigits']],
  [2, 'BE71 0961 2345 6769', ['spacesInAccount']],
  [3, 'NL92ABNA0417164300', ['ibanCheckDigits']],
  [3, 'NL91 ABNA 0417 1643 00', ['spacesInAccount']],
  [3, iban, []],
] as const)(
  'CODA record 1, 6-42: structure %i with %s has the findings %j',
  (structure, account, codes) => {
    expect(read(structure, account)).toMatchObject({
      number: account.replaceAll(' ', '').slice(0, structure === 2 ? 16 : 34),
      findings: codes,
    });
  },
);

test.each([
  ['0', '', 0, []],
  ['1', '', 1, []],
  ['2', '', 2, []],
  ['3', '', 3, []],
  ['4', '', undefined, ['accountStructure']],
  ['x', '', undefined, ['accountStructure']],
  [' ', iban, 2, ['accountStructureBlank']],
  [' ', `x${iban}`, 1, ['accountStructureBlank']],
  [' ', `${iban}0`, 1, ['accountStructureBlank']],
  [' ', '096123456769 EUR', 0, ['accountStructureBlank']],
  [' ', '0961234567690 EUR', 1, ['accountStructureBlank']],
  [' ', 'x096123456769 EUR', 1, ['accountStructureBlank']],
  [' ', foreign, 3, ['accountStructureBlank']],
  [' ', iban.toLowerCase(), 2, ['accountStructureBlank']],
  [' ', foreign.toLowerCase(), 3, ['accountStructureBlank']],
  [' ', 'NL91 ABNA 0417 1643 00', 3, ['accountStructureBlank']],
  [' ', 'NL92ABNA0417164300', 1, ['accountStructureBlank']],
] as const)(
  'CODA record 1, 2: with %j and the account %j the structure is %s',
  (structure, account, expected, codes) => {
    const findings = new FindingList();
    expect(readAccountStructure(record(structure, account), findings)).toBe(expected);
    expect(findings.toArray().map(({ code }) => code)).toEqual(codes);
  },
);
