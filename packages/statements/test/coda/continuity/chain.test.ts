import { expect, test } from 'vitest';
import { oneIn } from '../../../../../test/support/rounds.js';
import { followChain } from '../../../src/coda/continuity/chain.js';
import type { ChainStatement } from '../../../src/coda/continuity/chain-statement.js';
import { chanceOf } from '../read/mutated-file.js';
import { accountYears, banks, rhythms } from './account-years.js';
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
  return { number: number + 100, date, createdOn: date, ...balances, ...changes };
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
  // Before the next one is there.
  expect(followChain([one, wrong, two]).corrected).toEqual(new Map([[wrong, two]]));
});

test('D-30 a statement with another old balance or day is no correction, whatever its number', () => {
  const [first, second] = [statement(1), statement(2, { number: 101, date: '2026-03-01' })];
  expect(followChain([first, second])).toMatchObject({ breaks: [], corrected: new Map() });
  const nextDay = statement(2, { number: 101 });
  expect(followChain([first, nextDay])).toMatchObject({ breaks: [], corrected: new Map() });
  const other = { ...nextDay, oldBalance: first.oldBalance };
  expect(followChain([first, other]).corrected).toEqual(new Map());
});

test('D-30 an old balance that continues is no correction, also with the number and day of another', () => {
  const day = { number: 7, date: '2026-03-02', createdOn: '2026-03-03' };
  const balances = [
    [100n, 50n],
    [50n, 100n],
    [100n, 70n],
  ] as const;
  const all = balances.map(([oldBalance, newBalance]) => ({ ...day, oldBalance, newBalance }));
  const chain = followChain([all[2], all[0], all[1]].flatMap((each) => each ?? []));
  expect(chain.breaks).toEqual([]);
  expect(chain.corrected.size).toBe(0);
  expect(chain.statements.map(({ newBalance }) => newBalance)).toEqual([50n, 100n, 70n]);
});

test('D-30 a correction of the last statement of a year that is written in January is no new number', () => {
  const [december, january] = [
    { ...statement(1), date: '2026-12-31', createdOn: '2026-12-31' },
    { ...statement(2), number: 1, date: '2027-01-04', createdOn: '2027-01-04' },
  ];
  const wrong = { ...december, newBalance: 970n };
  const correction = { ...december, createdOn: '2027-01-05' };
  const { breaks, corrected } = followChain([wrong, january, correction]);
  expect(breaks).toEqual([]);
  expect(corrected).toEqual(new Map([[wrong, correction]]));
});

test('D-30 numbers that are left out are missing only where the balances differ', () => {
  const [before, after] = [statement(1), statement(2, { number: 105 })];
  const { breaks, leftOut } = followChain([before, after]);
  expect(breaks).toEqual([]);
  expect(leftOut).toMatchObject([{ fromNumber: 102, toNumber: 104 }]);
  expect(kindsOf([before, { ...after, oldBalance: 1n }])).toEqual(['gap']);
});

test('D-30 in an account that is emptied each day, numbers alone tell what is missing', () => {
  const emptied = numbered(1, 2, 3, 5).map((each) => ({ ...each, oldBalance: 0n, newBalance: 0n }));
  expect(followChain(emptied).breaks).toMatchObject([
    { kind: 'gap', fromNumber: 104, toNumber: 104 },
  ]);
});

test('D-30 files of one day may share a number in such an account, and a gap is still found', () => {
  const emptied = numbered(1, 1, 2, 2, 3, 3, 5, 5).map((each) => ({
    ...each,
    ...{ oldBalance: 0n, newBalance: 0n },
  }));
  expect(followChain(emptied).breaks).toMatchObject([
    { kind: 'gap', fromNumber: 104, toNumber: 104 },
  ]);
});

test('D-30 where numbers start again within a year, only the balances tell', () => {
  const moved = { number: 3, date: '2026-03-20', createdOn: '2026-03-21' };
  expect(kindsOf([statement(1), { ...moved, oldBalance: 980n, newBalance: 6n }])).toEqual([]);
  expect(kindsOf([statement(1), { ...moved, oldBalance: 5n, newBalance: 6n }])).toEqual([
    'balanceBreak',
  ]);
});

test('D-30 a statement of December that is counted in the new year is not missing there', () => {
  const [last, restarted, later] = [
    { ...statement(1), number: 250, date: '2026-12-30', createdOn: '2026-12-31' },
    { ...statement(2), number: 1, date: '2026-12-31', createdOn: '2027-01-04' },
    { ...statement(4), number: 3, date: '2027-01-05', createdOn: '2027-01-06' },
  ];
  expect(followChain([last, restarted, later]).breaks).toMatchObject([
    { kind: 'gap', fromNumber: 2, toNumber: 2 },
  ]);
});

test('D-30 of a bank that never starts again, only the numbers in between are missing', () => {
  const [last, later] = [
    { ...statement(1), number: 250, date: '2026-12-30', createdOn: '2026-12-31' },
    { ...statement(4), number: 253, date: '2027-01-05', createdOn: '2027-01-06' },
  ];
  expect(followChain([last, later]).breaks).toMatchObject([
    { kind: 'gap', fromNumber: 251, toNumber: 252 },
  ]);
});

test('D-30 a bank whose numbers went on in a new year is taken to go on in the next one', () => {
  const at = (number: number, date: string) => ({
    ...{ number, date, createdOn: date },
    ...{ oldBalance: BigInt(-number), newBalance: BigInt(-number - 1) },
  });
  const known = [at(25, '2024-12-30'), at(26, '2025-01-30'), at(39, '2025-12-30')];
  const gap = [...known, at(42, '2026-03-02')];
  expect(followChain(gap).breaks.at(-1)).toMatchObject({ fromNumber: 40, toNumber: 41 });
  // Without such a turn of a year, numbers start again, as the standard says.
  const young = gap.slice(2);
  expect(followChain(young).breaks).toMatchObject([{ fromNumber: 1, toNumber: 41 }]);
});

test('D-30 no hole ends before it begins, whatever the numbers say', () => {
  const early = statement(1, { number: 200, newBalance: 1n });
  const late = statement(2, { number: 100, oldBalance: 2n });
  const { breaks } = followChain([late, early]);
  expect(breaks).toMatchObject([{ previous: early, next: late }]);
});

test('D-30 the weeks of ISO 8601 are no count, also in a year that begins on a Friday', () => {
  const weeks = [1, 2, 3, 4, 6, 7, 8, 10, 11, 12];
  const statements = weeks.map((week, index) => {
    const date = new Date(Date.UTC(2027, 0, 1 + 7 * week)).toISOString().slice(0, 10);
    return { ...statement(index), number: week, date, createdOn: date };
  });
  expect(followChain(statements).breaks).toEqual([]);
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
  const old = statement(1, { date: '2025-12-30', createdOn: '2025-12-31' });
  const late = statement(3, { number: 2, date: '2026-01-02', createdOn: '2026-01-05' });
  expect(followChain([old, late]).breaks).toMatchObject([
    { kind: 'gap', fromNumber: 1, toNumber: 1 },
  ]);
});

test('D-30 a number of the day of the year itself counts from 1 in a new year', () => {
  const last = { number: 1, date: '2025-12-30', createdOn: '2025-12-31' };
  const late = { number: 5, date: '2026-01-05', createdOn: '2026-01-06' };
  const [old, next] = [statement(1, last), statement(4, late)];
  expect(followChain([old, next]).breaks).toMatchObject([{ fromNumber: 1, toNumber: 4 }]);
});

test('D-30 a statement that says nothing about an account before it is not missing', () => {
  expect(kindsOf([])).toEqual([]);
  expect(kindsOf(numbered(14))).toEqual([]);
});

test.each(oneIn(3, Object.keys(banks)))(
  'D-30 %s: no false alarm, and each gap is found',
  (name) => {
    checkChains(name, { accounts: 1, gaps: 4 });
  },
);

test('D-30 the order in which statements arrive makes no difference', () => {
  const bank = banks['several files with the number of a day'] ?? expect.fail();
  const hasStatement = rhythms['nine days of ten'] ?? (() => true);
  const chance = chanceOf(11);
  const statements = accountYears({ hasStatement, bank }, 3).filter(() => chance(20) > 0);
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
