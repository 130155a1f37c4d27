import { expect, test } from 'vitest';
import { calendarDate, dayOfYear, digitsOfDate } from '../../../src/coda/format/calendar-date.js';
import { ibanOfBban, isValidBban, isValidIban } from '../../../src/coda/format/check-digits.js';
import { formatThousandths } from '../../../src/index.js';

test('CODA dates: DDMMYY is a day of the calendar from 2000 to 2099, and nothing else', () => {
  const two = (number: number) => `${number}`.padStart(2, '0');
  for (const year of [0, 23, 24, 26, 99]) {
    for (let month = 0; month <= 13; month += 1) {
      for (let day = 0; day <= 32; day += 1) {
        const date = `20${two(year)}-${two(month)}-${two(day)}`;
        const time = Date.parse(date);
        const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
        const expected = isDay ? date : undefined;
        expect(calendarDate(day * 10_000 + month * 100 + year), date).toBe(expected);
      }
    }
  }
  expect(calendarDate(290224)).toBe('2024-02-29');
  expect(digitsOfDate('2026-01-01')).toBe('010126');
  expect(digitsOfDate('2099-12-31')).toBe('311299');
});

test.each([
  '1999-12-31',
  '2100-01-01',
  '2026-02-29',
  '2026-2-03',
  '2026-02-03T',
  ' 2026-02-03',
  '',
])('CODA dates: %j cannot be written', (date) => {
  expect(digitsOfDate(date)).toBeUndefined();
});

test.each([
  ['2026-01-01', 1],
  ['2026-02-03', 34],
  ['2026-03-01', 60],
  ['2024-03-01', 61],
  ['2026-12-31', 365],
  ['2024-12-31', 366],
])('CODA record 1: %s is day %i of its year', (date, day) => {
  expect(dayOfYear(date)).toBe(day);
});

test.each([
  [0n, '0.000'],
  [1n, '0.001'],
  [-1n, '-0.001'],
  [999n, '0.999'],
  [1_000n, '1.000'],
  [-1_234_500n, '-1234.500'],
])('CODA amounts: %i thousandths are %s', (thousandths, text) => {
  expect(formatThousandths(thousandths)).toBe(text);
});

test('CODA accounts: an IBAN has its check digits, those of a Belgian account number too', () => {
  const ibans = [
    ...['BE71096123456769', 'BE54000000000097', 'NL91ABNA0417164300', 'LU280019400644750000'],
    ...['NO9386011117947', 'MT31MALT01100000000000000000123'],
    // The longest.
    'RU0304452522540817810538091310419',
  ];
  expect(ibans.filter(isValidIban)).toEqual(ibans);
  const others = [
    // Correct modulo 97, but the check digits of the account number itself are wrong.
    'BE02000000000000',
    // Correct modulo 97, with 35 and 14 characters, and with a country that is not two letters.
    ...['FR511111111111111111111111111111111', 'NO698601111794'],
    // Correct modulo 97, with a length that is not that of the country, or without a country.
    ...['FR18111111111111111111111111111111', 'AT32010000000173363', 'XX20041010050500013M02606'],
    ...['F18520041010050500013M02606', '1F9620041010050500013M02606'],
    // An account has one IBAN: 00, 01 and 99 also satisfy modulo 97, like 97, 98 and 02.
    ...['BE00000000004949', 'BE01000000009393', 'BE99000000004040'],
    ...['BE72096123456769', 'BE7109612345676', 'BE710961234567690', 'be71096123456769'],
    ...['NL91abna0417164300', 'BE71 0961 2345 6769', ''],
  ];
  expect(others.filter(isValidIban)).toEqual([]);
});

test.each([
  ['02', '000000004040'],
  ['97', '000000004949'],
  ['98', '000000009393'],
])('CODA accounts: an IBAN has check digits from 02 to 98, such as %s', (check, bban) => {
  expect(ibanOfBban(bban)).toBe(`BE${check}${bban}`);
  expect(isValidIban(`BE${check}${bban}`)).toBe(true);
});

test('CODA accounts and structured communications: 12 digits end with their check digits', () => {
  const numbers = ['096123456769', '000000000097', '090933755493', '240283842818'];
  expect(numbers.filter(isValidBban)).toEqual(numbers);
  const others = [
    ...['000000000000', '096123456768', '09612345676', '0961234567690', '096-1234567-69'],
    '09612345676a',
  ];
  expect(others.filter(isValidBban)).toEqual([]);
});
