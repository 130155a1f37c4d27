import type { ChainStatement } from './chain-statement.js';
import { compare, type Numbering } from './numbering.js';

/** A statement with the year in which its number was counted. */
interface Numbered<S> {
  readonly statement: S;
  readonly year: number;
}

/** The statements that count, in the order of the chain, with the years of their numbers. */
interface Ordered<S> {
  readonly sorted: readonly Numbered<S>[];
  readonly corrected: ReadonlyMap<S, S>;
}

/** Orders the statements of an account, and leaves out those that a later version corrects. */
export function orderOf<S extends ChainStatement>(
  statements: readonly S[],
  numbering: Numbering,
): Ordered<S> {
  const years = yearsOf(statements);
  const last = new Map<string, S>();
  const keyOf = (statement: S) => versionKey(statement, years.get(statement) ?? 0, numbering);
  for (const statement of statements) last.set(keyOf(statement), statement);
  const corrected = new Map<S, S>();
  for (const statement of statements) {
    const version = last.get(keyOf(statement));
    if (version !== undefined && version !== statement) corrected.set(statement, version);
  }
  const counting = [...last.values()].map((statement) => ({
    statement,
    year: years.get(statement) ?? 0,
  }));
  counting.sort((one, other) => byPlace(one, other, numbering) || byContent(one, other));
  return { sorted: inTurn(counting, numbering), corrected };
}

/**
 * Returns the years of the numbers. A bank that restarts on the day on which it writes the file
 * gives the statement of 31 December the number 1, after higher numbers of that year.
 */
function yearsOf<S extends ChainStatement>(statements: readonly S[]): ReadonlyMap<S, number> {
  const isLate = ({ createdOn, year }: S) => Number(createdOn.slice(0, 4)) > year;
  const highest = new Map<number, number>();
  for (const statement of statements) {
    if (isLate(statement)) continue;
    const { year, number } = statement;
    highest.set(year, Math.max(number, highest.get(year) ?? 0));
  }
  return new Map(
    statements.map((statement) => {
      const { year, number } = statement;
      const isNext = isLate(statement) && number < (highest.get(year) ?? 0);
      return [statement, isNext ? year + 1 : year];
    }),
  );
}

/** Returns the same text for the versions of one statement. */
function versionKey(
  { number, date, oldBalance }: ChainStatement,
  year: number,
  numbering: Numbering,
): string {
  return numbering === 'counted' ? `${year} ${number}` : `${date} ${number} ${oldBalance}`;
}

function byPlace<S extends ChainStatement>(
  { statement: one, year }: Numbered<S>,
  { statement: other, year: otherYear }: Numbered<S>,
  numbering: Numbering,
): number {
  if (numbering === 'counted') return year - otherYear || one.number - other.number;
  return compare(one.date, other.date) || one.number - other.number;
}

/** Any fixed order of statements with the same place. */
function byContent<S extends ChainStatement>(
  { statement: one }: Numbered<S>,
  { statement: other }: Numbered<S>,
): number {
  return (
    compare(one.createdOn, other.createdOn) ||
    compare(one.oldBalance ?? 0n, other.oldBalance ?? 0n) ||
    compare(one.newBalance ?? 0n, other.newBalance ?? 0n)
  );
}

/** Returns true if two balances differ. One that is not known differs from no other. */
export function differs(one: bigint | undefined, other: bigint | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** The largest number of statements with the same place of which all orders are tried. */
const TRIED = 6;

/** Puts statements with the same place in the order in which their balances continue each other. */
function inTurn<S extends ChainStatement>(
  sorted: readonly Numbered<S>[],
  numbering: Numbering,
): readonly Numbered<S>[] {
  const result: Numbered<S>[] = [];
  for (let from = 0; from < sorted.length; ) {
    const first = sorted[from];
    if (first === undefined) break;
    let to = from + 1;
    while (isAlike(first, sorted[to], numbering)) to += 1;
    const group = sorted.slice(from, to);
    const before = result.at(-1)?.statement.newBalance;
    const isTried = group.length > 1 && group.length <= TRIED;
    // If a statement is missing before the group, it may start with any balance.
    const tried = isTried ? (continuing(before, group) ?? continuing(undefined, group)) : undefined;
    result.push(...(tried ?? group));
    from = to;
  }
  return result;
}

function isAlike<S extends ChainStatement>(
  first: Numbered<S>,
  other: Numbered<S> | undefined,
  numbering: Numbering,
): boolean {
  return other !== undefined && byPlace(first, other, numbering) === 0;
}

/**
 * Returns an order in which each statement continues the one before it.
 *
 * @param before the balance before the first; undefined if it may start with any balance
 * @returns undefined if there is none
 */
function continuing<S extends ChainStatement>(
  before: bigint | undefined,
  group: readonly Numbered<S>[],
): readonly Numbered<S>[] | undefined {
  if (group.length === 0) return [];
  for (const [index, one] of group.entries()) {
    if (differs(before, one.statement.oldBalance)) continue;
    const rest = continuing(one.statement.newBalance, group.toSpliced(index, 1));
    if (rest !== undefined) return [one, ...rest];
  }
  return undefined;
}
