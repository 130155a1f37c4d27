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
  const ofEaster = (year: number) => holidaysOf(year).filter((day) => /-0[34]-/.test(day));
  expect(ofEaster(2024)).toEqual(['2024-03-29', '2024-04-01']);
  expect(ofEaster(2038)).toEqual(['2038-04-23', '2038-04-26']);
  expect(ofEaster(2049)).toEqual(['2049-04-16', '2049-04-19']);
});

test('D-30 banking days are counted without weekends and holidays', () => {
  expect(addBankingDays('2026-04-02', 1)).toBe('2026-04-07');
  expect(countBankingDays('2026-04-02', '2026-04-07')).toBe(1);
  expect(countBankingDays('2026-04-07', '2026-04-07')).toBe(0);
  expect(addBankingDays('2026-12-24', 2)).toBe('2026-12-29');
});
