import type { ChainStatement } from './chain-statement.js';

/** The statements that count, in the order of the chain. */
interface Ordered<S> {
  readonly sorted: readonly S[];
  readonly corrected: ReadonlyMap<S, S>;
}

/**
 * Orders the statements of an account by what they say of money: by their days, and within a day so
 * that each continues the balance of the one before it, as far as that can be. A statement with the
 * number, day and old balance of another one corrects it, unless both fit into that order: then an
 * account has come back to an earlier balance within the day.
 */
export function orderOf<S extends ChainStatement>(statements: readonly S[]): Ordered<S> {
  const sorted: S[] = [];
  const corrected = new Map<S, S>();
  const days = byDay(statements);
  for (const [index, day] of days.entries()) {
    const balance = sorted.at(-1)?.newBalance;
    const versions = day.length > 1 ? lastVersions(day) : new Map<S, S>();
    const counting = day.filter((statement) => !versions.has(statement));
    const orders = [...ordersOf(day, balance), ...ordersOf(counting, balance)];
    const best = withFewestBreaks(day.length > 1 ? orders : [day], balance, days[index + 1] ?? []);
    sorted.push(...best);
    if (best.length === day.length) continue;
    for (const [statement, version] of versions) corrected.set(statement, version);
  }
  return { sorted, corrected };
}

/** Returns the statements of each day, the earliest first. */
function byDay<S extends ChainStatement>(statements: readonly S[]): S[][] {
  const days = new Map<string, S[]>();
  for (const statement of statements) {
    const day = days.get(statement.date);
    if (day === undefined) days.set(statement.date, [statement]);
    else day.push(statement);
  }
  return [...days.values()].sort(([one], [other]) => compare(one?.date ?? '', other?.date ?? ''));
}

/** Maps each statement of a day to the last one given with its number and old balance. */
function lastVersions<S extends ChainStatement>(day: readonly S[]): Map<S, S> {
  const keyOf = ({ number, oldBalance }: S) => `${number} ${oldBalance}`;
  const last = new Map(day.map((statement) => [keyOf(statement), statement]));
  return new Map(
    day.flatMap((statement) => {
      const version = last.get(keyOf(statement));
      return version === undefined || version === statement ? [] : [[statement, version]];
    }),
  );
}

/** Returns orders of a day's statements, the first one by their numbers. */
function ordersOf<S extends ChainStatement>(day: readonly S[], balance: bigint | undefined): S[][] {
  const byNumber = day.toSorted(
    (one, other) =>
      one.number - other.number ||
      compare(one.createdOn, other.createdOn) ||
      compare(one.oldBalance, other.oldBalance) ||
      compare(one.newBalance, other.newBalance),
  );
  // If a statement is missing before the day, it may start with any balance.
  return [byNumber, continuing(byNumber, balance), continuing(byNumber, undefined)];
}

/** Returns the first of the orders with the fewest differences of balances. */
function withFewestBreaks<S extends ChainStatement>(
  orders: readonly (readonly S[])[],
  before: bigint | undefined,
  nextDay: readonly S[],
): readonly S[] {
  let best: readonly S[] = [];
  let fewest = Number.POSITIVE_INFINITY;
  for (const order of orders) {
    let balance = before;
    let count = 0;
    for (const { oldBalance, newBalance } of order) {
      if (balance !== undefined && balance !== oldBalance) count += 1;
      balance = newBalance;
    }
    const isContinued = nextDay.some(({ oldBalance }) => oldBalance === balance);
    if (nextDay.length > 0 && !isContinued) count += 1;
    if (count >= fewest) continue;
    fewest = count;
    best = order;
  }
  return best;
}

/**
 * Orders statements so that each continues the one before it as far as that can be. A statement
 * leads from one balance to another, so this is drawing a figure with the fewest strokes: a stroke
 * starts at each balance that more statements leave than reach, and circles that are left are put
 * in where they touch one.
 *
 * @param balance that before the first one; undefined if it may start with any
 */
function continuing<S extends ChainStatement>(
  statements: readonly S[],
  balance: bigint | undefined,
): S[] {
  const leaving = new Map<bigint, S[]>();
  const surplus = new Map<bigint, number>();
  const count = (at: bigint, by: number) => surplus.set(at, (surplus.get(at) ?? 0) + by);
  for (const statement of statements) {
    const { oldBalance, newBalance } = statement;
    const others = leaving.get(oldBalance);
    if (others === undefined) leaving.set(oldBalance, [statement]);
    else others.push(statement);
    count(oldBalance, 1);
    count(newBalance, -1);
  }
  const stroke = (from: bigint): S[] => {
    const drawn: S[] = [];
    for (let at = from; ; at = drawn.at(-1)?.newBalance ?? at) {
      const next = leaving.get(at)?.shift();
      if (next === undefined) return drawn;
      drawn.push(next);
    }
  };
  const order = balance === undefined ? [] : stroke(balance);
  if (balance !== undefined) count(balance, -1);
  for (const { oldBalance } of statements) {
    if ((surplus.get(oldBalance) ?? 0) <= 0) continue;
    count(oldBalance, -1);
    order.push(...stroke(oldBalance));
  }
  let touched = 0;
  for (const { oldBalance } of statements) {
    for (; touched < order.length; touched += 1) {
      order.splice(touched, 0, ...stroke(order[touched]?.oldBalance ?? oldBalance));
    }
    order.push(...stroke(oldBalance));
  }
  return order;
}

function compare<Value extends string | bigint>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
