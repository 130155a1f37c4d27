import { expect, test } from 'vitest';
import { brusselsTime, longDate, longTime } from '../../../../src/dates/brussels-day.js';

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

test.each([
  ['2026-11-02T09:00:00.999Z', '2026-11-02T10:00:00+01:00', '2 November 2026, 10:00:00 (UTC+1)'],
  ['2026-06-30T22:00:01.000Z', '2026-07-01T00:00:01+02:00', '1 July 2026, 00:00:01 (UTC+2)'],
  // The clocks go forward, and back.
  ['2026-03-29T00:59:59.999Z', '2026-03-29T01:59:59+01:00', '29 March 2026, 01:59:59 (UTC+1)'],
  ['2026-03-29T01:00:00.000Z', '2026-03-29T03:00:00+02:00', '29 March 2026, 03:00:00 (UTC+2)'],
  ['2026-10-25T00:59:59.000Z', '2026-10-25T02:59:59+02:00', '25 October 2026, 02:59:59 (UTC+2)'],
  ['2026-10-25T01:00:00.000Z', '2026-10-25T02:00:00+01:00', '25 October 2026, 02:00:00 (UTC+1)'],
])('D-37 at %s it is %s in Belgium', (instant, time, words) => {
  expect(brusselsTime(new Date(instant))).toBe(time);
  expect(longTime(new Date(instant), 'en')).toBe(words);
  expect(new Date(time).getTime()).toBe(Math.floor(Date.parse(instant) / 1000) * 1000);
});
