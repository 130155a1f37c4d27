import { expect, test } from 'vitest';
import { addDays, brusselsDay, startOfBrusselsDay } from '../../src/dates/brussels-day.js';

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
