import { expect, test } from 'vitest';
import {
  addDays,
  brusselsDay,
  brusselsTime,
  longDate,
  longDay,
  longTime,
  startOfBrusselsDay,
} from '../../src/dates/brussels-day.js';

test.each([
  // In winter Belgium is one hour ahead of UTC, in summer two.
  ['2026-01-15T22:59:59.999Z', '2026-01-15'],
  ['2026-01-15T23:00:00.000Z', '2026-01-16'],
  ['2026-01-15T23:30:00.000Z', '2026-01-16'],
  ['2026-07-15T21:59:59.999Z', '2026-07-15'],
  ['2026-07-15T22:00:00.000Z', '2026-07-16'],
  ['2026-07-15T23:30:00.000Z', '2026-07-16'],
  // Both changes of the clock, and New Year.
  ['2026-03-28T22:59:59.999Z', '2026-03-28'],
  ['2026-03-28T23:00:00.000Z', '2026-03-29'],
  ['2026-03-29T21:59:59.999Z', '2026-03-29'],
  ['2026-03-29T22:00:00.000Z', '2026-03-30'],
  ['2026-10-24T22:00:00.000Z', '2026-10-25'],
  ['2026-10-25T22:59:59.999Z', '2026-10-25'],
  ['2026-10-25T23:00:00.000Z', '2026-10-26'],
  ['2026-12-31T23:00:00.000Z', '2027-01-01'],
])('§2.6 at %s it is %s in Belgium', (instant, day) => {
  expect(brusselsDay(new Date(instant))).toBe(day);
});

test.each([
  ['2026-01-16', '2026-01-15T23:00:00.000Z'],
  ['2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', '2026-03-29T22:00:00.000Z'],
  ['2026-07-16', '2026-07-15T22:00:00.000Z'],
  ['2026-10-25', '2026-10-24T22:00:00.000Z'],
  ['2026-10-26', '2026-10-25T23:00:00.000Z'],
  ['2027-01-01', '2026-12-31T23:00:00.000Z'],
  // The nearest instant that PostgreSQL reads.
  ['0000-01-01', '0001-01-01T00:00:00.000Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31', '9999-12-30T23:00:00.000Z'],
  [addDays('9999-12-31', 1), '9999-12-31T23:00:00.000Z'],
])('§2.6 in Belgium %s begins at %s', (day, instant) => {
  expect(startOfBrusselsDay(day).toISOString()).toBe(instant);
});

test('§2.6 each day of three years starts at its first instant', () => {
  let day = '2026-01-01';
  for (; day < '2029-01-01'; day = addDays(day, 1)) {
    const start = startOfBrusselsDay(day).getTime();
    expect(brusselsDay(new Date(start))).toBe(day);
    expect(brusselsDay(new Date(start - 1))).toBe(addDays(day, -1));
  }
});

test.each([
  ['2026-03-10', 180, '2026-09-06'],
  ['2026-09-01', 180, '2027-02-28'],
  ['2027-09-02', 180, '2028-02-29'],
  ['2026-12-31', 1, '2027-01-01'],
])('D-24 %s and %i days: %s', (day, days, later) => {
  expect(addDays(day, days)).toBe(later);
});

test.each([
  ['2026-01-15T22:59:59.999Z', '2026-01-15T23:59:59+01:00'],
  ['2026-07-15T22:00:00.500Z', '2026-07-16T00:00:00+02:00'],
  ['2026-10-25T00:30:00.000Z', '2026-10-25T02:30:00+02:00'],
  ['2026-10-25T01:30:00.000Z', '2026-10-25T02:30:00+01:00'],
])('§2.6 %s is %s in Belgian time', (instant, time) => {
  expect(brusselsTime(new Date(instant))).toBe(time);
});

test.each([
  ['fr', '1er novembre 2026', '11 novembre 2026'],
  ['nl', '1 november 2026', '11 november 2026'],
  ['de', '1. November 2026', '11. November 2026'],
  ['en', '1 November 2026', '11 November 2026'],
] as const)('D-25 a message in %s writes a day as %s', (language, first, eleventh) => {
  expect(longDate(new Date('2026-10-31T23:30:00Z'), language)).toBe(first);
  expect(longDay('2026-11-11', language)).toBe(eleventh);
  const time = longTime(new Date('2026-10-31T23:30:00Z'), language);
  expect(time).toBe(`${first}, 00:30:00 (UTC+1)`);
});
