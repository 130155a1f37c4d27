import { expect, test } from 'vitest';
import { longDate } from '../../../../src/dates/brussels-day.js';

test.each([
  ['fr', '1er décembre 2026'],
  ['nl', '1 december 2026'],
  ['de', '1. Dezember 2026'],
  ['en', '1 December 2026'],
] as const)('D-13 the date in Belgium, in %s: %s', (language, date) => {
  expect(longDate(new Date('2026-11-30T23:00:00Z'), language)).toBe(date);
});

test.each([
  ['2026-06-30T21:59:59Z', '30 June 2026'],
  ['2026-06-30T22:00:00Z', '1 July 2026'],
  ['2026-12-31T22:59:59Z', '31 December 2026'],
  ['2026-12-31T23:00:00Z', '1 January 2027'],
])('D-13 at %s it is %s in Belgium, summer and winter', (instant, date) => {
  expect(longDate(new Date(instant), 'en')).toBe(date);
});

test.each([
  ['2026-12-11T12:00:00Z', '11 décembre 2026'],
  ['2026-12-21T12:00:00Z', '21 décembre 2026'],
])('D-13 only the first of a month is an ordinal in French: %s', (instant, date) => {
  expect(longDate(new Date(instant), 'fr')).toBe(date);
});
