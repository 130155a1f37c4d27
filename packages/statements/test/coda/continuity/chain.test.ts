import { expect, test } from 'vitest';
import { oneIn } from '../../../../../test/support/rounds.js';
import { followChain } from '../../../src/coda/continuity/chain.js';
import type { ChainStatement } from '../../../src/coda/continuity/chain-statement.js';
import { overdueFrom } from '../../../src/coda/continuity/silence.js';
import { chanceOf } from '../read/mutated-file.js';
import { accountYears, numberers, rhythms } from './account-years.js';
import { checkChains } from './check-chains.js';

/** Returns statements with these numbers, on successive days from 2 March 2026. */
function numbered(...numbers: number[]): ChainStatement[] {
  return numbers.map((number) => statement(number));
}

function statement(number: number, changes: Partial<ChainStatement> = {}): ChainStatement {
  const date = `2026-03-${String(number % 31 || 31).padStart(2, '0')}`;
  const balances = {
    oldBalance: BigInt(1000 - 10 * number),
    newBalance: BigInt(990 - 10 * number),
  };
  return { year: 2026, number: number + 100, date, createdOn: date, ...balances, ...changes };
}

const kindsOf = (statements: readonly ChainStatement[]) =>
  followChain(statements).breaks.map(({ kind }) => kind);

test('D-30 missing numbers are one gap, which explains the difference of the balances', () => {
  const { breaks } = followChain(numbered(1, 2, 3, 6, 7, 9));
  expect(breaks).toMatchObject([
    {
      kind: 'gap',
      fromNumber: 104,
      toNumber: 105,
      previous: { number: 103 },
      next: { number: 106 },
    },
    { kind: 'gap', fromNumber: 108, toNumber: 108 },
  ]);
});

test('D-30 without numbers, the balances tell what is missing', () => {
  const unnumbered = numbered(1, 2, 4, 5).map((each) => ({ ...each, number: 0 }));
  expect(followChain(unnumbered).breaks).toMatchObject([
    { kind: 'balanceBreak', previous: { date: '2026-03-02' }, next: { date: '2026-03-04' } },
  ]);
});

test('D-30 of a corrected statement, the last version counts', () => {
  const [one, two, three] = [statement(1), statement(2), statement(3)];
  const wrong = { ...two, newBalance: 5n };
  expect(kindsOf([one, wrong, three])).toEqual(['balanceBreak']);
  const chain = followChain([one, wrong, three, two]);
  expect(chain.breaks).toEqual([]);
  expect(chain.corrected).toEqual(new Map([[wrong, two]]));
});

test('D-30 a correction of the last statement of a year that is written in January is no new number', () => {
  const [december, january] = [
    { ...statement(1), date: '2026-12-31', createdOn: '2026-12-31' },
    { ...statement(2), year: 2027, number: 1, date: '2027-01-04', createdOn: '2027-01-04' },
  ];
  const correction = { ...december, createdOn: '2027-01-05', oldBalance: 980n };
  const { breaks, corrected } = followChain([december, january, correction]);
  expect(breaks).toEqual([]);
  expect(corrected).toEqual(new Map([[december, correction]]));
});

test('D-30 the weeks of ISO 8601 are no count, also in a year that begins on a Friday', () => {
  const weeks = [1, 2, 3, 4, 6, 7, 8, 10, 11, 12];
  const statements = weeks.map((week, index) => {
    const date = new Date(Date.UTC(2027, 0, 1 + 7 * week)).toISOString().slice(0, 10);
    return { ...statement(index), year: 2027, number: week, date, createdOn: date };
  });
  expect(followChain(statements).breaks).toEqual([]);
});

test('D-30 a statement whose balances are not known has its place, and hides no gap beside it', () => {
  const unknown = { ...statement(2), oldBalance: undefined, newBalance: undefined };
  expect(kindsOf([statement(1), unknown, statement(3)])).toEqual([]);
  expect(followChain([statement(1), unknown, statement(5)]).breaks).toMatchObject([
    { kind: 'gap', fromNumber: 103, toNumber: 104 },
  ]);
  const day = [unknown, statement(3), statement(1)].map((each) => ({
    ...{ ...each, number: 0, date: '2026-03-02' },
  }));
  expect(kindsOf(day)).toEqual([]);
});

test('D-30 several unnumbered statements of a day are put in the order of their balances', () => {
  const day = { number: 0, date: '2026-03-02' };
  const balances = [
    [100n, 50n],
    [50n, 100n],
    [100n, 100n],
    [100n, 70n],
  ] as const;
  const all = balances.map(([oldBalance, newBalance]) =>
    statement(0, { ...day, oldBalance, newBalance }),
  );
  expect(kindsOf(all.toReversed())).toEqual([]);
});

test('D-30 numbers that start above 1 in a new year are missing', () => {
  const old = statement(2, { year: 2025, date: '2025-12-30', createdOn: '2025-12-31' });
  const late = statement(3, { number: 2, date: '2026-01-02', createdOn: '2026-01-05' });
  expect(followChain([old, late]).breaks).toMatchObject([
    { kind: 'gap', fromNumber: 1, toNumber: 1 },
  ]);
});

test('D-30 a statement that says nothing about an account before it is not missing', () => {
  expect(kindsOf([])).toEqual([]);
  expect(kindsOf(numbered(14))).toEqual([]);
});

test.each(oneIn(3, Object.keys(numberers)))(
  'D-30 numbers %s: no false alarm, and each gap is found',
  (name) => {
    checkChains(name, { accounts: 1, gaps: 4 });
  },
);

test('D-30 a silent account is overdue after its own habit', () => {
  const overdueAfter = (rhythm: keyof typeof rhythms) => {
    const hasStatement = rhythms[rhythm] ?? (() => false);
    const number = numberers['000 always'] ?? (() => 0);
    const dates = accountYears({ hasStatement, number }, 7).map(({ date }) => date);
    const last = dates.at(-1) ?? '';
    const days = (Date.parse(overdueFrom(dates) ?? '') - Date.parse(last)) / 86_400_000;
    return Math.round(days);
  };
  expect(overdueAfter('each banking day')).toBeLessThanOrEqual(12);
  expect(overdueAfter('each Friday')).toBeLessThanOrEqual(28);
  expect(overdueAfter('the last day of the month')).toBeLessThanOrEqual(75);
  expect(overdueAfter('one day of twelve')).toBeGreaterThan(120);
  expect(overdueFrom(['2026-03-02', '2026-03-03', '2026-03-04'])).toBeUndefined();
});

test('D-30 the order in which statements arrive makes no difference', () => {
  const number = numberers['restarting each year'] ?? (() => 0);
  const hasStatement = rhythms['nine days of ten'] ?? (() => true);
  const chance = chanceOf(11);
  const statements = accountYears({ hasStatement, number }, 3).filter(() => chance(20) > 0);
  const expected = followChain(statements).breaks;
  expect(expected.length).toBeGreaterThan(10);
  for (let round = 0; round < 5; round += 1) {
    const shuffled = statements
      .map((each) => [chance(1_000_000), each] as const)
      .sort(([one], [other]) => one - other)
      .map(([, each]) => each);
    expect(followChain(shuffled).breaks).toEqual(expected);
  }
});
