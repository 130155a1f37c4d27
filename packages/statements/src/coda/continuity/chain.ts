import type { ChainStatement } from './chain-statement.js';
import { missingNumbers, type Numbering, numberingOf, yearOfNumber } from './numbering.js';
import { orderOf } from './order.js';

/** A hole in the chain, before `next`, which is never of an earlier day than `previous`. */
export type ChainBreak<S extends ChainStatement = ChainStatement> = {
  /** The statement before the hole. */
  readonly previous: S;
  /** The statement after the hole. */
  readonly next: S;
} & (
  | {
      /** Numbers are missing. It explains a difference of the balances beside it. */
      readonly kind: 'gap';
      readonly fromNumber: number;
      readonly toNumber: number;
    }
  /** The old balance is not the new balance of the statement before. */
  | { readonly kind: 'balanceBreak' }
);

/** The chain of an account. */
export interface Chain<S extends ChainStatement = ChainStatement> {
  /** In the order of the chain, without statements that were corrected. */
  readonly statements: readonly S[];
  readonly breaks: readonly ChainBreak<S>[];
  /**
   * Where numbers are left out although the balances continue. No money is missing there; a bank
   * that leaves out numbers by habit has none.
   */
  readonly leftOut: readonly ChainBreak<S>[];
  /** Each statement that was corrected, with its last version. */
  readonly corrected: ReadonlyMap<S, S>;
}

/**
 * Follows the statements of one account and finds where statements are missing. The balances
 * decide: the result does not depend on the order in which different statements are given, and
 * numbers only tell how many are missing. Of several versions of one statement, the last one given
 * counts.
 *
 * @param statements those of one account, currency and extension, without separate applications
 */
export function followChain<S extends ChainStatement>(statements: readonly S[]): Chain<S> {
  const { sorted, corrected } = orderOf(statements);
  const numbering = numberingOf(sorted);
  const breaks: ChainBreak<S>[] = [];
  const leftOut: ChainBreak<S>[] = [];
  let year = 0;
  let previous: S | undefined;
  for (const next of sorted) {
    const found = previous && breakBetween(previous, next, numbering, year);
    const isBroken = previous?.newBalance !== next.oldBalance || numbering.areComplete;
    if (found !== undefined && isBroken) breaks.push(found);
    else if (found !== undefined && !numbering.isLeavingOut) leftOut.push(found);
    year = yearOfNumber(next, previous, year);
    previous = next;
  }
  return { statements: sorted, breaks, leftOut, corrected };
}

/** @param year the year in which the number of the previous one was counted */
function breakBetween<S extends ChainStatement>(
  previous: S,
  next: S,
  { meaning, isEndless }: Numbering,
  year: number,
): ChainBreak<S> | undefined {
  const missing = meaning === 'count' ? missingNumbers(previous, next, year, isEndless) : undefined;
  if (missing !== undefined) return { kind: 'gap', previous, next, ...missing };
  const isBroken = previous.newBalance !== next.oldBalance;
  return isBroken ? { kind: 'balanceBreak', previous, next } : undefined;
}
