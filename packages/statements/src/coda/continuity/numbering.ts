import { dayOfYear } from '../format/calendar-date.js';
import type { ChainStatement } from './chain-statement.js';

/** The statement numbers of an account. */
export interface Numbering {
  /** They count statements; or they are 0, or the day, week or month of the statement. */
  readonly meaning: 'count' | 'none';
  /** A number that is left out is a missing statement also where the balances continue. */
  readonly areComplete: boolean;
  /** The bank leaves out numbers, or gives several statements one. */
  readonly isLeavingOut: boolean;
  /** The count went on at every turn of a year. */
  readonly isEndless: boolean;
}

/** The share of statements that may deviate from a number of the calendar. */
const DEVIATING = 0.1;
/** Numbers that are left out or shared by habit: more than so many, and than this share of all. */
const LEFT_OUT = 2;
const LEFT_OUT_SHARE = 0.2;

/**
 * Returns what the numbers of an account mean, as its own statements show. They have to be complete
 * only where most statements leave the balance as it was, such as those of an account that is
 * emptied each evening: there, and only there, a missing statement may leave no difference.
 *
 * @param sorted in the order of the chain
 */
export function numberingOf(sorted: readonly ChainStatement[]): Numbering {
  let leftOut = 0;
  let unchanged = 0;
  let shared = 0;
  let goneOn = 0;
  let restarted = 0;
  let year = 0;
  for (const [index, next] of sorted.entries()) {
    if (next.newBalance === next.oldBalance) unchanged += 1;
    const previous = sorted[index - 1];
    const yearBefore = year;
    year = yearOfNumber(next, previous, year);
    if (previous === undefined || previous.newBalance !== next.oldBalance) continue;
    if (next.number > previous.number + 1) leftOut += 1;
    if (next.number === previous.number && next.date !== previous.date) shared += 1;
    if (previous.number === 0 || year === yearBefore) continue;
    if (next.number === previous.number + 1) goneOn += 1;
    else restarted += 1;
  }
  const odd = Math.max(leftOut, shared);
  const isLeavingOut = odd > LEFT_OUT && odd > LEFT_OUT_SHARE * sorted.length;
  return {
    meaning: followCalendar(sorted) ? 'none' : 'count',
    areComplete: !isLeavingOut && 2 * unchanged > sorted.length,
    isLeavingOut,
    isEndless: goneOn > 0 && restarted === 0,
  };
}

/**
 * Returns the numbers between two statements; undefined if there are none, or the count has started
 * again within a year: when the account moved to another bank, or after 999. In a new year it is
 * taken to have started again, unless it never did, or the number is higher than a statement for
 * each day would have.
 *
 * @param year the year in which the number of the previous one was counted
 * @param isEndless the count went on at every turn of a year so far
 */
export function missingNumbers(
  previous: ChainStatement,
  next: ChainStatement,
  year: number,
  isEndless: boolean,
): { readonly fromNumber: number; readonly toNumber: number } | undefined {
  const isNewYear = yearOf(next.date) > year;
  if (previous.number === 0 || next.number === 0) return undefined;
  if (next.number === previous.number + 1) return undefined;
  if (next.number <= previous.number && !isNewYear) return undefined;
  const isRestarted =
    next.number <= previous.number ||
    (isNewYear && !isEndless && next.number <= dayOfYear(next.date));
  const fromNumber = isRestarted ? 1 : previous.number + 1;
  return fromNumber < next.number ? { fromNumber, toNumber: next.number - 1 } : undefined;
}

/**
 * Returns the year in which a number was counted. A bank that restarts on the day on which it
 * writes the file gives the statement of 31 December the number 1, after higher numbers of that
 * year.
 *
 * @param year that of the previous statement
 */
export function yearOfNumber(
  { date, createdOn, number }: ChainStatement,
  previous: ChainStatement | undefined,
  year: number,
): number {
  const isRestarted = previous !== undefined && number < previous.number;
  return Math.max(year, yearOf(isRestarted ? createdOn : date));
}

function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

/** The numbers that banks take from a date: day, week by either rule, and month. */
type CalendarNumbers = readonly [day: number, isoWeek: number, week: number, month: number];

/** The numbers of the dates so far, at most those of a century. */
const known = new Map<string, CalendarNumbers>();

/** Returns the numbers of a date, which are computed once. */
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

/** Returns the week of ISO 8601: the first one has the first Thursday of the year. */
function isoWeek(date: string): number {
  const day = new Date(`${date}T00:00:00Z`);
  const thursday = new Date(day.getTime() + (3 - ((day.getUTCDay() + 6) % 7)) * DAY);
  return Math.ceil(dayOfYear(thursday.toISOString().slice(0, 10)) / 7);
}
