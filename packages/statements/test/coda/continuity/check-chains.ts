import { expect } from 'vitest';
import { isBankingDay } from '../../../src/coda/continuity/banking-days.js';
import { followChain } from '../../../src/coda/continuity/chain.js';
import type { ChainStatement } from '../../../src/coda/continuity/chain-statement.js';
import { overdueFrom } from '../../../src/coda/continuity/silence.js';
import { chanceOf } from '../read/mutated-file.js';
import { accountYears, banks, rhythms } from './account-years.js';

/** The number of statements before and after a new one that the service looks at. */
const WINDOW = 60;

/**
 * Simulates accounts of each rhythm for three years, at one bank. Asserts that no statement is
 * reported as missing or overdue when the statements arrive one after the other, and that each of
 * the gaps that are then made is found at the statement after it, and closed by the missing
 * statements.
 *
 * @returns the number of gaps
 */
export function checkChains(
  habit: string,
  { accounts, gaps }: { readonly accounts: number; readonly gaps: number },
): number {
  const bank = banks[habit] ?? expect.fail(`There is no bank with ${habit}`);
  let found = 0;
  for (const [rhythm, hasStatement] of Object.entries(rhythms)) {
    for (let seed = 1; seed <= accounts; seed += 1) {
      const statements = accountYears({ hasStatement, bank }, seed);
      const account = `${habit}, ${rhythm}, seed ${seed}`;
      expectNoAlarm(statements, account);
      const chance = chanceOf(seed);
      for (let gap = 0; gap < gaps && statements.length > 12; gap += 1) {
        const from = 5 + chance(statements.length - 8);
        const count = 1 + chance(Math.min(3, statements.length - from - 1));
        expectFound(statements, from, count, account);
        found += 1;
      }
    }
  }
  return found;
}

function expectNoAlarm(statements: readonly ChainStatement[], account: string): void {
  for (const [index, next] of statements.entries()) {
    const known = statements.slice(Math.max(0, index - WINDOW), index);
    const { breaks } = followChain([...known, next]);
    if (breaks.length > 0) expect(breaks, `${account}, ${next.date}`).toEqual([]);
    const overdue = overdueFrom(known.map(({ date }) => date));
    const isInTime = overdue === undefined || next.createdOn <= overdue;
    if (!isInTime) expect(next, `${account}: overdue from ${overdue}`).toBe('in time');
    if (!isBankingDay(next.createdOn)) expect.fail('The simulation is wrong');
  }
}

function expectFound(
  statements: readonly ChainStatement[],
  from: number,
  count: number,
  account: string,
): void {
  const [previous, next] = [statements[from - 1], statements[from + count]];
  // The last statements of a count leave no trace if the balances continue without them.
  if (next?.number === 1 && previous?.newBalance === next.oldBalance) return;
  const window = statements.slice(Math.max(0, from - WINDOW), from + count + 1);
  const without = window.filter((each) => !statements.slice(from, from + count).includes(each));
  const { breaks } = followChain(without);
  const place = `${account}: without ${count} after ${previous?.date}`;
  expect(breaks, place).toMatchObject([{ previous, next }]);
  // A late arrival closes the gap, whenever it comes.
  const missing = statements.slice(from, from + count);
  expect(followChain([...without, ...missing.toReversed()]).breaks, place).toEqual([]);
}
