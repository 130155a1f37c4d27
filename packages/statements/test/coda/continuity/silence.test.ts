import { expect, test } from 'vitest';
import { addBankingDays, countBankingDays } from '../../../src/coda/continuity/banking-days.js';
import { overdueFrom } from '../../../src/coda/continuity/silence.js';
import { accountYears, rhythms } from './account-years.js';

/** Returns days with these pauses between them, in banking days. */
function daysWith(pauses: readonly number[]): string[] {
  const days = ['2025-01-06'];
  for (const pause of pauses) days.push(addBankingDays(days.at(-1) ?? '', pause));
  return days;
}

const times = (count: number, pause: number) => Array.from({ length: count }, () => pause);

// The number of banking days follows from the formula of `silence.ts`, computed by hand.
test.each([
  ['each day, for eight pauses', times(8, 1), 35],
  ['each day, for sixty pauses', times(60, 1), 8],
  ['each day, for longer than is looked at', times(80, 1), 8],
  ['each week', times(20, 5), 17],
  ['each week lately', [...times(100, 1), ...times(60, 5)], 12],
  ['each day but one', [...times(30, 1), 2], 11],
  ['each day but two', [...times(30, 1), 2, 2], 33],
  ['each day, after one long pause', [...times(59, 1), 20], 23],
])('D-30 an account with statements %s is overdue when it is strange', (_, pauses, expected) => {
  const days = daysWith(pauses);
  const overdue = overdueFrom(days) ?? '';
  expect(countBankingDays(days.at(-1) ?? '', overdue)).toBe(expected);
  expect(overdueFrom([...days, ...days.toReversed()])).toBe(overdue);
});

test('D-30 an account with fewer than eight pauses has no habit', () => {
  expect(overdueFrom([])).toBeUndefined();
  expect(overdueFrom(daysWith(times(7, 1)))).toBeUndefined();
});

test('D-30 a pause without a banking day counts as one', () => {
  const [daily, saturday] = [daysWith(times(12, 1)), '2025-01-11'];
  expect(overdueFrom([saturday, ...daily])).toBe(overdueFrom(['2025-01-03', ...daily]));
});

test('D-30 a silent account is overdue after its own habit', () => {
  const overdueAfter = (rhythm: keyof typeof rhythms) => {
    const hasStatement = rhythms[rhythm] ?? (() => false);
    const dates = accountYears({ hasStatement, bank: { number: () => 0 } }, 7);
    const days = dates.map(({ date }) => date);
    const last = days.at(-1) ?? '';
    return Math.round((Date.parse(overdueFrom(days) ?? '') - Date.parse(last)) / 86_400_000);
  };
  expect(overdueAfter('each banking day')).toBeLessThanOrEqual(12);
  expect(overdueAfter('each Friday')).toBeLessThanOrEqual(28);
  expect(overdueAfter('the last day of the month')).toBeLessThanOrEqual(75);
  expect(overdueAfter('one day of twelve')).toBeGreaterThan(120);
});
