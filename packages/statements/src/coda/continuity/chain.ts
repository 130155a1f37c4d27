import type { ChainStatement } from './chain-statement.js';
import { numberingOf } from './numbering.js';
import { differs, orderOf } from './order.js';

/** A hole in the chain, before `next`. */
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
  /** Each statement that was corrected, with its last version. */
  readonly corrected: ReadonlyMap<S, S>;
}

/**
 * Follows the statements of one account and finds where statements are missing. The result does not
 * depend on the order in which different statements are given; of several versions of one
 * statement, the last one given counts.
 *
 * Numbers rise by one and restart each year, unless those of the account show that they are not
 * counted (`Numbering`). Then only the balances tell.
 *
 * @param statements those of one account, currency and extension, without separate applications
 */
export function followChain<S extends ChainStatement>(statements: readonly S[]): Chain<S> {
  const numbering = numberingOf(statements);
  const { sorted, corrected } = orderOf(statements, numbering);
  const breaks: ChainBreak<S>[] = [];
  for (const [index, { statement: next, year }] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before === undefined) continue;
    const previous = before.statement;
    const hasBreak = differs(previous.newBalance, next.oldBalance);
    const mayBeGap = numbering === 'counted' || (numbering === 'rising' && hasBreak);
    const isSameYear = before.year === year;
    const missing = mayBeGap ? missingNumbers(previous.number, next.number, isSameYear) : undefined;
    if (missing !== undefined) breaks.push({ kind: 'gap', previous, next, ...missing });
    else if (hasBreak) breaks.push({ kind: 'balanceBreak', previous, next });
  }
  return { statements: sorted.map(({ statement }) => statement), breaks, corrected };
}

/**
 * Returns the numbers between two statements. A bank that does not restart in a new year goes on.
 */
function missingNumbers(
  previous: number,
  next: number,
  isSameYear: boolean,
): { readonly fromNumber: number; readonly toNumber: number } | undefined {
  const fromNumber = isSameYear ? previous + 1 : 1;
  if (next === previous + 1 || fromNumber >= next) return undefined;
  return { fromNumber, toNumber: next - 1 };
}
