import { describe, expect, test } from 'vitest';
import { categoryNames } from '../../src/coda/names/category-names.js';
import {
  type NameLanguage,
  nameLanguages,
  parseCodeTable,
} from '../../src/coda/names/code-table.js';
import { operationNames } from '../../src/coda/names/operation-names.js';
import { purposeNames } from '../../src/coda/names/purpose-names.js';
import { reasonNames } from '../../src/coda/names/reason-names.js';
import { transactionName } from '../../src/coda/names/transaction-name.js';

const codeOf = (digits: string) => ({
  type: 0,
  family: digits.slice(0, 2),
  operation: digits.slice(2, 4),
  category: digits.slice(4),
});
const nameOf = (digits: string, language: NameLanguage = 'en') =>
  transactionName(codeOf(digits), language);

/** The operations of each family in the standard, without those that all families have. */
const operations: Readonly<Record<string, string>> = {
  '01': '01 02 03 05 07 13 17 39 50 51 52 54 60 62 64 66',
  '02': '01 02 03 05 07 13 17 50 51 52 54 64 66',
  '03': '01 05 09 11 15 17 38 52 58 60 62 63 66',
  '04': '01 02 03 04 05 06 07 08 09 10 50 51 52 53 54 55 56 68',
  '05': '01 03 05 50 52 54 56 58',
  '07': '01 05 06 07 08 09 39 50 52 54 56 58',
  '09': '01 05 07 09 13 17 19 25 50 52 58 60 62 68 70',
  '11': '01 02 03 04 05 06 09 11 13 15 17 19 50 51 52 58 62 64 66 68 70',
  '13': '01 02 05 07 11 13 15 19 21 50 54 55 56 60 62 68 70',
  '30': '01 03 05 33 39 50 52 54 55 83 89',
  '35': '01 50',
  '41': '01 03 05 07 13 17 38 50 64 66',
  '43': '01 07 15 52 58 62',
  '47': '01 05 06 07 11 13 14 50 52 54 56 58 60 62 64',
  '80': '02 04 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 29 31 33 35 37 39 41 43 45 47',
};

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`.padStart(3, '0'));
const categories = [
  ...range(1, 37),
  ...'039 041 042 043 045 047 049 050 051 052 053 055 057 058 059 061 063'.split(' '),
  ...[...range(65, 74), '100', ...range(200, 214), ...range(400, 416), ...range(418, 420)],
  ...[...range(425, 431), ...range(435, 438)],
];

describe('D-46 names of transactions', () => {
  test('the tables have each code of the standard once, in all languages', () => {
    const codes = Object.entries(operations).flatMap(([family, list]) => [
      family,
      ...list.split(' ').map((operation) => family + operation),
    ]);
    for (const language of nameLanguages) {
      expect([...operationNames[language].keys()].toSorted()).toEqual(codes.toSorted());
      expect([...categoryNames[language].keys()]).toEqual(categories);
      expect([...purposeNames[language].keys()].every((code) => /^[A-Z\d]{4}$/.test(code))).toBe(
        true,
      );
      expect([...reasonNames[language].keys()].every((code) => /^[A-Z\d]{4}$/.test(code))).toBe(
        true,
      );
    }
  });

  test.each([
    ['operations', operationNames],
    ['categories', categoryNames],
    ['purposes', purposeNames],
    ['reasons', reasonNames],
  ])('the names of %s are translated: few are the same in two languages', (_, names) => {
    for (const [a, b] of [
      ['fr', 'nl'],
      ['fr', 'en'],
      ['nl', 'de'],
      ['de', 'en'],
    ] as const) {
      const same = [...names[a]].filter(([code, name]) => names[b].get(code) === name);
      expect(same.length / names[a].size, `${a} and ${b}: ${same.join(' ')}`).toBeLessThan(0.12);
    }
  });

  test.each([
    ['two parts of one operation', ['1302055', '1302002']],
    ['a fee and its VAT', ['8035006', '8035011']],
    ['interest, withholding tax and costs of a closing', ['3550001', '3501051', '3537000']],
    ['debit and credit', ['0101000', '0150000']],
  ])('%s have different names', (_, codes) => {
    for (const language of nameLanguages) {
      expect(new Set(codes.map((code) => nameOf(code, language))).size).toBe(codes.length);
    }
  });

  test.each([
    ['0150000', 'Transfer in your favour'],
    ['1302055', 'Long-term loan – repayment of capital'],
    ['0437011', 'Card – costs – VAT'],
    ['8033006', 'Miscellaneous fees and commissions – various fees and commissions'],
    ['8018007', 'Trade information – database access fee'],
    ['8037007', 'Database access fee'],
    ['0145000', 'SEPA credit transfer 45'],
    ['0150742', 'Transfer in your favour – 742'],
    ['9901742', '9901 – 742'],
    ['0000000', ''],
  ])('%s is %j', (digits, name) => {
    expect(nameOf(digits)).toBe(name);
  });

  test('a table with a missing cell or the same code twice is refused', () => {
    expect(() => parseCodeTable('01 | a | b | c')).toThrow('A cell is missing: 01|a|b|c');
    expect(() => parseCodeTable('01 | a | b | | d')).toThrow('A cell is missing');
    expect(() => parseCodeTable('01|a|b|c|d\n01|e|f|g|h')).toThrow('A code is twice in the table');
  });
});
