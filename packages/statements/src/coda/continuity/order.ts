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
    if (day.length === 1) {
      sorted.push(...day);
      continue;
    }
    const balance = sorted.at(-1)?.newBalance;
    const nextDay = days[index + 1] ?? [];
    let best = withFewestBreaks(day, balance, nextDay);
    for (const replaced of correctionsOf(day)) {
      const others = best.order.filter((each) => !replaced.has(each));
      const without = withFewestBreaks(others, balance, nextDay);
      if (without.breaks >= best.breaks) continue;
      best = without;
      for (const [version, last] of replaced) corrected.set(version, last);
    }
    sorted.push(...best.order);
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

/** Each correction takes another order of its day, so more than these are decided as one. */
const MAX_CORRECTIONS = 20;

/**
 * Returns possible corrections: the statements of a day that share a number and an old balance,
 * each with the last of them that was given.
 */
function correctionsOf<S extends ChainStatement>(day: readonly S[]): ReadonlyMap<S, S>[] {
  const groups = new Map<string, S[]>();
  for (const statement of day) {
    const key = `${statement.number} ${statement.oldBalance}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [statement]);
    else group.push(statement);
  }
  const corrections = [...groups.values()].flatMap((versions) => {
    const replaced = versions.slice(0, -1).map((each) => [each, versions.at(-1) ?? each] as const);
    return replaced.length === 0 ? [] : [replaced];
  });
  if (corrections.length > MAX_CORRECTIONS) return [new Map(corrections.flat())];
  return corrections.map((replaced) => new Map(replaced));
}

/** An order of a day's statements, and how often the balances do not continue in it. */
interface DayOrder<S> {
  readonly order: readonly S[];
  readonly breaks: number;
}

/** Returns the order of a day's statements with the fewest breaks, by their numbers if they fit. */
function withFewestBreaks<S extends ChainStatement>(
  day: readonly S[],
  before: bigint | undefined,
  nextDay: readonly S[],
): DayOrder<S> {
  const byNumber = day.toSorted(
    (one, other) =>
      one.number - other.number ||
      compare(one.createdOn, other.createdOn) ||
      compare(one.oldBalance, other.oldBalance) ||
      compare(one.newBalance, other.newBalance),
  );
  // If a statement is missing before the day, it may start with any balance.
  const orders = [byNumber, continuing(byNumber, before), continuing(byNumber, undefined)];
  const counted = orders.map((order) => ({ order, breaks: breaksIn(order, before, nextDay) }));
  return counted.reduce((best, other) => (other.breaks < best.breaks ? other : best));
}

function breaksIn<S extends ChainStatement>(
  order: readonly S[],
  before: bigint | undefined,
  nextDay: readonly S[],
): number {
  let balance = before;
  let count = 0;
  for (const { oldBalance, newBalance } of order) {
    if (balance !== undefined && balance !== oldBalance) count += 1;
    balance = newBalance;
  }
  const isContinued = nextDay.some(({ oldBalance }) => oldBalance === balance);
  return nextDay.length === 0 || isContinued ? count : count + 1;
}

/**
 * Orders statements so that each continues the one before it as far as that can be. A statement
 * leads from one balance to another, so these are the fewest trails that use each once
 * (Hierholzer): one starts at each balance that more statements leave than reach, and circles that
 * are left are put in where a trail passes them.
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
  for (const statement of statements.toReversed()) {
    const { oldBalance, newBalance } = statement;
    const others = leaving.get(oldBalance);
    if (others === undefined) leaving.set(oldBalance, [statement]);
    else others.push(statement);
    count(oldBalance, 1);
    count(newBalance, -1);
  }
  const trailFrom = (from: bigint): S[] => {
    const trail: S[] = [];
    for (let at = from; ; at = trail.at(-1)?.newBalance ?? at) {
      const next = leaving.get(at)?.pop();
      if (next === undefined) return trail;
      trail.push(next);
    }
  };
  const trails = balance === undefined ? [] : [trailFrom(balance)];
  if (balance !== undefined) count(balance, -1);
  for (const { oldBalance } of statements) {
    if ((surplus.get(oldBalance) ?? 0) <= 0) continue;
    count(oldBalance, -1);
    trails.push(trailFrom(oldBalance));
  }
  const withCircles = (trail: readonly S[]): S[] => {
    const order: S[] = [];
    const left = trail.toReversed();
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const circle = trailFrom(next.oldBalance);
      if (circle.length === 0) {
        order.push(next);
      } else {
        left.push(next);
        for (const statement of circle.toReversed()) left.push(statement);
      }
    }
    return order;
  };
  const order = trails.flatMap(withCircles);
  const rest = statements.flatMap(({ oldBalance }) => withCircles(trailFrom(oldBalance)));
  return [...order, ...rest];
}

function compare<Value extends string | bigint>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
