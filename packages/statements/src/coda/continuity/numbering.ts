import { dayOfYear } from '../format/calendar-date.js';
import type { ChainStatement } from './chain-statement.js';

/**
 * The meaning of the statement numbers of an account:
 *
 * - `counted`: they rise by one with each statement and restart each year
 * - `rising`: they rise, but several statements share one, or some are left out
 * - `none`: they say nothing about the order; they are 0, or the day, week or month of the statement
 */
export type Numbering = 'counted' | 'rising' | 'none';

/** The share of statements that may deviate from a number of the calendar. */
const DEVIATING = 0.1;
/**
 * Numbers that are left out although no balance is missing: so many, and this share of all steps.
 */
const LEFT_OUT = 2;
const LEFT_OUT_SHARE = 0.2;

/** Returns what the numbers of an account mean, as its own statements show. */
export function numberingOf(statements: readonly ChainStatement[]): Numbering {
  if (statements.some(({ number }) => number === 0)) return 'none';
  if (followCalendar(statements)) return 'none';
  const sorted = statements.toSorted(
    (one, other) => compare(one.date, other.date) || one.number - other.number,
  );
  let leftOut = 0;
  for (const [index, next] of sorted.entries()) {
    const previous = sorted[index - 1];
    if (previous === undefined || previous.year !== next.year) continue;
    if (next.oldBalance === undefined || previous.newBalance !== next.oldBalance) continue;
    if (next.number > previous.number + 1) leftOut += 1;
    if (next.number === previous.number && next.date !== previous.date) return 'rising';
  }
  return leftOut > LEFT_OUT && leftOut > LEFT_OUT_SHARE * statements.length ? 'rising' : 'counted';
}

/** The numbers that banks take from a date: day, week by either rule, and month. */
type CalendarNumbers = readonly [day: number, isoWeek: number, week: number, month: number];

/** The numbers of the dates so far, at most those of a century. */
const known = new Map<string, CalendarNumbers>();

function numbersOf(date: string): CalendarNumbers {
  let numbers = known.get(date);
  if (numbers === undefined) {
    const day = dayOfYear(date);
    numbers = [day, isoWeek(date), Math.ceil(day / 7), Number(date.slice(5, 7))];
    known.set(date, numbers);
  }
  return numbers;
}

/**
 * Returns true if nearly all numbers are taken from the dates of the statements, by the same rule.
 */
function followCalendar(statements: readonly ChainStatement[]): boolean {
  const matching = [0, 0, 0, 0];
  for (const { number, date, createdOn } of statements) {
    const ofCreation = numbersOf(createdOn);
    for (const [rule, ofDate] of numbersOf(date).entries()) {
      if (number !== ofDate && number !== ofCreation[rule]) continue;
      matching[rule] = (matching[rule] ?? 0) + 1;
    }
  }
  const most = Math.max(...matching);
  return most > 0 && most >= (1 - DEVIATING) * statements.length;
}

const DAY = 86_400_000;

/** The week of ISO 8601: the first one has the first Thursday of the year. */
function isoWeek(date: string): number {
  const day = new Date(`${date}T00:00:00Z`);
  const thursday = new Date(day.getTime() + (3 - ((day.getUTCDay() + 6) % 7)) * DAY);
  return Math.ceil(dayOfYear(thursday.toISOString().slice(0, 10)) / 7);
}

/** Compares dates or other texts by their characters. */
export function compare<Value extends string | number | bigint>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
