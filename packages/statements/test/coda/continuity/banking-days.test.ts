import { expect, test } from 'vitest';
import {
  addBankingDays,
  countBankingDays,
  isBankingDay,
} from '../../../src/coda/continuity/banking-days.js';

function holidaysOf(year: number): string[] {
  const days = Array.from({ length: 366 }, (_, index) =>
    new Date(Date.UTC(year, 0, 1 + index)).toISOString().slice(0, 10),
  );
  return days.filter((day) => {
    const weekday = new Date(day).getUTCDay();
    return day.startsWith(`${year}`) && weekday !== 0 && weekday !== 6 && !isBankingDay(day);
  });
}

test('D-30 bank holidays of Belgium, with those that depend on Easter', () => {
  expect(holidaysOf(2026)).toEqual([
    ...['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-05-14', '2026-05-15'],
    ...['2026-05-25', '2026-07-21', '2026-11-11', '2026-12-25'],
  ]);
});

test('D-30 holidays on a fixed date count in the years in which they are no weekend', () => {
  const fixed = ['2028-08-15', '2028-11-01', '2028-12-26', '2025-12-26', '2025-08-15'];
  expect(fixed.filter(isBankingDay)).toEqual([]);
});

test.each([
  ...['1954-04-18', '1981-04-19', '1999-04-04', '2000-04-23', '2008-03-23', '2011-04-24'],
  ...['2016-03-27', '2019-04-21', '2024-03-31', '2025-04-20', '2027-03-28', '2028-04-16'],
  ...['2029-04-01', '2030-04-21', '2031-04-13', '2034-04-09', '2035-03-25', '2037-04-05'],
  ...['2038-04-25', '2039-04-10', '2049-04-18', '2076-04-19', '2100-03-28', '2106-04-18'],
])('D-30 if Easter is on %s, banks close on the Friday before and the Monday after', (easter) => {
  const inSpring = holidaysOf(Number(easter.slice(0, 4))).filter((day) => /-0[34]-/.test(day));
  const at = (days: number) =>
    new Date(Date.parse(easter) + days * 86_400_000).toISOString().slice(0, 10);
  expect(inSpring).toEqual([at(-2), at(1)]);
});

test('D-30 banking days are counted without weekends and holidays', () => {
  expect(addBankingDays('2026-04-02', 1)).toBe('2026-04-07');
  expect(countBankingDays('2026-04-02', '2026-04-07')).toBe(1);
  expect(countBankingDays('2026-04-07', '2026-04-07')).toBe(0);
  expect(addBankingDays('2026-12-24', 2)).toBe('2026-12-29');
});
