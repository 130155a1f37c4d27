import { expect, test } from 'vitest';
import { followChain } from '../../../src/coda/continuity/chain.js';
import type { ChainStatement } from '../../../src/coda/continuity/chain-statement.js';

/** Returns a statement of 2 March 2026, or of another day. */
function statement(
  number: number,
  oldBalance: number,
  newBalance: number,
  more: Partial<ChainStatement> = {},
): ChainStatement {
  const date = more.date ?? '2026-03-02';
  const balances = { oldBalance: BigInt(oldBalance), newBalance: BigInt(newBalance) };
  return { number, date, createdOn: date, ...balances, ...more };
}
const nextDay = { date: '2026-03-03' };

test('D-30 statements of a day whose balances fit in any order have that of their numbers', () => {
  const numbers = [12, 9, 10, 13, 11].map((number) => statement(number, 5, 5));
  const { statements, breaks } = followChain(numbers);
  expect(statements.map(({ number }) => number)).toEqual([9, 10, 11, 12, 13]);
  expect(breaks).toEqual([]);
});

test('D-30 statements of a day with one number have the order of their files', () => {
  const days = ['2026-03-06', '2026-03-03', '2026-03-05'];
  const files = days.map((createdOn) => statement(9, 5, 5, { createdOn }));
  const { statements } = followChain([...files, statement(8, 5, 5)]);
  expect(statements.slice(1).map(({ createdOn }) => createdOn)).toEqual(days.toSorted());
});

test('D-30 which of two versions corrects the other one is seen by the next day', () => {
  const [first, last] = [statement(9, 10, 20), statement(9, 10, 25)];
  const after = [statement(10, 25, 30, nextDay), statement(11, 30, 40, nextDay)];
  const corrected = followChain([first, last, ...after]);
  expect(corrected.corrected).toEqual(new Map([[first, last]]));
  expect(corrected.breaks).toEqual([]);
  // Without the next day, the last one counts.
  expect(followChain([first, last]).corrected).toEqual(new Map([[first, last]]));
  // The next day contradicts the last one, which is a break.
  const odd = followChain([first, last, statement(10, 20, 30, nextDay)]);
  expect(odd.corrected).toEqual(new Map([[first, last]]));
  expect(odd.breaks).toHaveLength(1);
});

test('D-30 a version corrects another one if the next day continues the day without that one only', () => {
  const [first, last] = [statement(9, 10, 20), statement(9, 10, 25)];
  const day = [first, last, statement(10, 20, 22)];
  const continued = followChain([...day, statement(11, 22, 30, nextDay)]);
  expect(continued.corrected).toEqual(new Map([[first, last]]));
  expect(continued.breaks).toHaveLength(1);
  // Two of the next day need not be in order to continue it.
  const later = [statement(11, 7, 8, nextDay), statement(12, 22, 7, nextDay)];
  expect(followChain([...day, ...later]).corrected).toEqual(new Map([[first, last]]));
  // Without the next day, or if it continues neither, each statement counts.
  expect(followChain(day).corrected).toEqual(new Map());
  expect(followChain([...day, statement(11, 40, 41, nextDay)]).corrected).toEqual(new Map());
});

test('D-30 a day with more corrections than can be tried one by one has all of them', () => {
  const versions = Array.from({ length: 21 }, (_, index) => [
    statement(index + 1, 10 * index, 7),
    statement(index + 1, 10 * index, 10 * index + 10),
  ]);
  const { corrected, breaks } = followChain(versions.flat());
  expect([...corrected]).toEqual(versions);
  expect(breaks).toEqual([]);
});

test.each([
  ['the balance before', [statement(8, 1, 30, { date: '2026-03-01' })], []],
  ['any balance, if a statement is missing before', [], [statement(12, 10, 1, nextDay)]],
  ['any balance, if money is missing before', [statement(8, 1, 7, { date: '2026-03-01' })], []],
])('D-30 a day whose numbers do not fit its balances starts with %s', (_, before, after) => {
  const day = [statement(9, 20, 10), statement(10, 25, 20), statement(11, 30, 25)];
  const { statements, breaks } = followChain([...after, ...day, ...before]);
  const ofDay = statements.filter(({ date }) => date === '2026-03-02');
  expect(ofDay.map(({ oldBalance }) => oldBalance)).toEqual([30n, 25n, 20n]);
  expect(breaks.length).toBe(before[0]?.newBalance === 7n ? 1 : 0);
});

test('D-30 days are in their order, whatever the order of the files', () => {
  const days = ['2026-03-04', '2026-03-02', '2026-03-03'];
  const statements = days.map((date) =>
    statement(0, Number(date.slice(-1)), Number(date.slice(-1)) + 1, { date }),
  );
  const followed = followChain(statements);
  expect(followed.statements.map(({ date }) => date)).toEqual(days.toSorted());
  expect(followed.breaks).toEqual([]);
});
