import { addBankingDays, isBankingDay } from '../../../src/coda/continuity/banking-days.js';
import type { ChainStatement } from '../../../src/coda/continuity/chain-statement.js';
import { dayOfYear } from '../../../src/coda/format/calendar-date.js';
import { type Chance, chanceOf } from '../read/mutated-file.js';

/** How an account is kept: the rhythm of its statements, and their numbers. */
export interface AccountHabit {
  /** Returns true if the account has a statement on a banking day. */
  readonly hasStatement: (day: string, chance: Chance) => boolean;
  readonly number: Numberer;
}

/** Returns the number of a statement, given the one before. */
type Numberer = (day: string, createdOn: string, previous: ChainStatement | undefined) => number;

const next = (previous: ChainStatement | undefined) => (previous?.number ?? 0) + 1;

/** Returns the week, from Sunday to Saturday, counted from a fixed one. */
const weekOf = (day: string) => Math.floor((Date.parse(day) / 86_400_000 + 4) / 7);

function isoWeek(day: string): number {
  const thursday = new Date(
    Date.parse(day) + (3 - ((new Date(day).getUTCDay() + 6) % 7)) * 86_400_000,
  );
  return Math.ceil(dayOfYear(thursday.toISOString().slice(0, 10)) / 7);
}

const isNewYear = (day: string, previous: ChainStatement | undefined) =>
  previous !== undefined && previous.date.slice(0, 4) !== day.slice(0, 4);

/** The ways in which banks number statements. */
export const numberers: Readonly<Record<string, Numberer>> = {
  'restarting each year': (day, _, previous) => (isNewYear(day, previous) ? 1 : next(previous)),
  'restarting with the date of creation': (_, createdOn, previous) =>
    isNewYear(createdOn, previous && { ...previous, date: previous.createdOn })
      ? 1
      : next(previous),
  'never restarting': (_day, _createdOn, previous) => next(previous),
  '000 always': () => 0,
  'day of the year': (day) => dayOfYear(day),
  'day of the year of creation': (_, createdOn) => dayOfYear(createdOn),
  'number of the week': (day) => isoWeek(day),
  'number of the month': (day) => Number(day.slice(5, 7)),
  'one number per week': (day, _, previous) => {
    if (isNewYear(day, previous)) return 1;
    const isSame = previous !== undefined && weekOf(previous.date) === weekOf(day);
    return isSame ? previous.number : next(previous);
  },
  'one number per month': (day, _, previous) => {
    if (isNewYear(day, previous)) return 1;
    const isSame = previous?.date.slice(0, 7) === day.slice(0, 7);
    return isSame ? (previous?.number ?? 1) : next(previous);
  },
};

/** The rhythms of accounts. */
export const rhythms: Readonly<Record<string, AccountHabit['hasStatement']>> = {
  'each banking day': () => true,
  'nine days of ten': (_, chance) => chance(10) < 9,
  'every other day': (_, chance) => chance(2) === 0,
  'one day of twelve': (_, chance) => chance(12) === 0,
  'each Friday': (day) => isFridayOrBefore(day),
  'the last day of the month': (day) => addBankingDays(day, 1).slice(0, 7) !== day.slice(0, 7),
};

function isFridayOrBefore(day: string): boolean {
  return weekOf(addBankingDays(day, 1)) !== weekOf(day);
}

/** Returns three years of statements of an account, from a random day of 2024 on. */
export function accountYears(habit: AccountHabit, seed: number): ChainStatement[] {
  const chance = chanceOf(seed);
  const statements: ChainStatement[] = [];
  let balance = BigInt(chance(1_000_000)) * 10n;
  const first = Date.UTC(2024, 0, 1 + chance(366));
  for (let index = 0; index < 3 * 365; index += 1) {
    const date = new Date(first + index * 86_400_000).toISOString().slice(0, 10);
    if (!isBankingDay(date) || !habit.hasStatement(date, chance)) continue;
    const createdOn = addBankingDays(date, 1);
    const oldBalance = balance;
    // Movements that cancel each other out are rare, and would leave no trace without a number.
    balance += BigInt(1 + chance(100_000)) * (chance(2) === 0 ? 10n : -10n);
    statements.push({
      ...{ year: Number(date.slice(0, 4)), date, createdOn, oldBalance, newBalance: balance },
      number: habit.number(date, createdOn, statements.at(-1)) % 1000,
    });
  }
  return statements;
}
