import { expect, test } from 'vitest';
import { followChain } from '../../../src/coda/continuity/chain.js';
import type { ChainStatement } from '../../../src/coda/continuity/chain-statement.js';

const DAY = 86_400_000;

/** Returns the day that is some days after 1 January 2026. */
function dayAfter(days: number): string {
  return new Date(Date.UTC(2026, 0, 1) + days * DAY).toISOString().slice(0, 10);
}

/** A number, its date, and the date of creation if that is another one. */
type Numbered = readonly [number: number, date: string, createdOn?: string];

/** Returns statements whose balances continue, and change each day. */
function continuing(numbers: readonly Numbered[]): ChainStatement[] {
  return numbers.map(([number, date, createdOn = date], index) => ({
    ...{ number, date, createdOn },
    ...{ oldBalance: BigInt(index), newBalance: BigInt(index + 1) },
  }));
}

/** Returns statements of which each has a balance of its own, so that money is missing between. */
function broken(numbers: readonly Numbered[]): ChainStatement[] {
  return continuing(numbers).map((each, index) => ({
    ...each,
    ...{ oldBalance: BigInt(10 * index), newBalance: BigInt(10 * index + 1) },
  }));
}

const spansOf = (statements: readonly ChainStatement[]) =>
  followChain(statements).breaks.map((each) =>
    each.kind === 'gap' ? [each.fromNumber, each.toNumber] : each.kind,
  );

const leftOutOf = (statements: readonly ChainStatement[]) =>
  followChain(statements).leftOut.map((each) =>
    each.kind === 'gap' ? [each.fromNumber, each.toNumber] : each.kind,
  );

/** Returns statements on each tenth day whose numbers a rule takes from the day, 1 to 365. */
function byDay(count: number, numberOn: (day: number) => number): Numbered[] {
  return Array.from({ length: count }, (_, index) => [
    numberOn(10 * index + 15),
    dayAfter(10 * index + 14),
  ]);
}

/** 2026 begins on a Thursday. */
const weekOn = (day: number) => Math.floor((day + 2) / 7) + 1;

test.each([
  ['the day of the year', (day: number) => day],
  ['the week of ISO 8601', weekOn],
  ['the week since 1 January', (day: number) => Math.ceil(day / 7)],
  ['the month', (day: number) => Number(dayAfter(day - 1).slice(5, 7))],
])('D-30 numbers that are %s are no count, although one of ten is another', (_, rule) => {
  const all = byDay(30, rule);
  const odd = all.map((each, index): Numbered => (index % 10 === 4 ? [999, each[1]] : each));
  expect(leftOutOf(continuing(odd))).toEqual([]);
  expect(spansOf(broken(odd))).toEqual(Array(29).fill('balanceBreak'));
  const odder = odd.map((each, index): Numbered => (index === 20 ? [998, each[1]] : each));
  expect(spansOf(broken(odder))).toContainEqual(expect.any(Array));
});

test.each([
  ['the day', (day: number) => day],
  ['the week', weekOn],
])('D-30 numbers that are %s of the creation are no count', (_, rule) => {
  const all = byDay(20, (day) => rule(day + 3)).map(
    ([number, date], index): Numbered => [number, date, dayAfter(10 * index + 17)],
  );
  expect(spansOf(broken(all))).toEqual(Array(19).fill('balanceBreak'));
});

/** Returns so many statements, each of which is numbered as `step` says after the one before it. */
function stepping(count: number, step: (index: number) => number): Numbered[] {
  let number = 400;
  return Array.from({ length: count }, (_, index): Numbered => {
    if (index > 0) number += step(index);
    return [number, dayAfter(index)];
  });
}

test('D-30 a bank leaves out numbers by habit if it does so thrice, and for a fifth of all', () => {
  const [thrice, twice] = [3, 2].map((times) => (index: number) => (index <= times ? 2 : 1));
  expect(leftOutOf(continuing(stepping(14, thrice ?? expect.fail())))).toEqual([]);
  expect(leftOutOf(continuing(stepping(15, thrice ?? expect.fail())))).toHaveLength(3);
  expect(leftOutOf(continuing(stepping(9, twice ?? expect.fail())))).toHaveLength(2);
});

test('D-30 a bank gives several days one number by habit if it does so thrice, and for a fifth', () => {
  const shared = (days: number) => (index: number) => {
    if (index === 10) return 2;
    return index <= days ? 0 : 1;
  };
  expect(leftOutOf(continuing(stepping(14, shared(3))))).toEqual([]);
  expect(leftOutOf(continuing(stepping(14, shared(2))))).toHaveLength(1);
  expect(leftOutOf(continuing(stepping(15, shared(3))))).toHaveLength(1);
});

test('D-30 numbers are complete only if more than half of the statements change nothing', () => {
  const numbers = stepping(10, (index) => (index === 5 ? 3 : 1));
  const withUnchanged = (count: number) =>
    numbers.map(([number, date], index): ChainStatement => {
      const balance = BigInt(Math.max(0, index - count));
      const newBalance = index < count ? balance : balance + 1n;
      return { number, date, createdOn: date, oldBalance: balance, newBalance };
    });
  expect(spansOf(withUnchanged(5))).toEqual([]);
  expect(spansOf(withUnchanged(6))).toEqual([[405, 406]]);
});

test('D-30 a bank that went on at one turn of a year and restarted at another restarts', () => {
  const before: Numbered[] = [
    [58, '2024-12-30'],
    [59, '2025-01-02'],
  ];
  const turn: Numbered[] = [
    [30, '2023-12-29'],
    [1, '2024-01-02'],
  ];
  const last: Numbered[] = [
    [60, '2025-12-30'],
    [63, '2026-03-05'],
  ];
  const at = (numbers: readonly Numbered[]) => {
    const [next, ...known] = continuing(numbers).toReversed();
    return spansOf([...known, { ...(next ?? expect.fail()), oldBalance: 777n }]).at(-1);
  };
  expect(at([...before, ...last])).toEqual([61, 62]);
  expect(at([...turn, ...before, ...last])).toEqual([1, 62]);
  expect(at(last)).toEqual([1, 62]);
});

test('D-30 a number above those of a statement for each day of the new year goes on', () => {
  const old: Numbered = [3, '2025-12-30'];
  expect(spansOf(broken([old, [5, '2026-01-05']]))).toEqual([[1, 4]]);
  expect(spansOf(broken([old, [6, '2026-01-05']]))).toEqual([[4, 5]]);
});

test('D-30 a statement without a number is neither before nor after a gap', () => {
  const numbers: Numbered[] = [
    [400, '2026-01-02'],
    [0, '2026-01-05'],
    [405, '2026-01-06'],
    [406, '2026-01-07'],
  ];
  expect(spansOf(broken(numbers))).toEqual(['balanceBreak', 'balanceBreak', 'balanceBreak']);
});
