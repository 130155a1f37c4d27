import { addBankingDays, isBankingDay } from '../../../src/coda/continuity/banking-days.js';
import type { ChainStatement } from '../../../src/coda/continuity/chain-statement.js';
import { dayOfYear } from '../../../src/coda/format/calendar-date.js';
import { type Chance, chanceOf } from '../read/mutated-file.js';

/** How an account is kept: the rhythm of its statements, and the habit of its bank. */
export interface AccountHabit {
  /** Returns true if the account has a statement on a banking day. */
  readonly hasStatement: (day: string, chance: Chance) => boolean;
  readonly bank: BankHabit;
}

/** How a bank numbers and cuts the statements of an account. */
interface BankHabit {
  /** Returns the number of a statement, given the one before. */
  readonly number: Numberer;
  /** The most statements of a day; 1 by default. */
  readonly perDay?: number;
  /** The account is emptied at the end of each statement. */
  readonly isEmptied?: boolean;
}

type Numberer = (
  day: string,
  createdOn: string,
  previous: ChainStatement | undefined,
  chance: Chance,
) => number;

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

const eachYear: Numberer = (day, _, previous) => (isNewYear(day, previous) ? 1 : next(previous));

const eachMonth: Numberer = (day, _, previous) => {
  if (isNewYear(day, previous)) return 1;
  const isSame = previous?.date.slice(0, 7) === day.slice(0, 7);
  return isSame ? (previous?.number ?? 1) : next(previous);
};

/** The day on which the accounts of the simulation move to another bank. */
const MOVE = '2025-12-14';

/**
 * The habits of banks, with where they are described:
 *
 * - the number of the paper statement, of a week or a month, for the daily files: crelan.be,
 *   "inladen van Crelan-CODA's"; 000 where there is none: CodaBox, "Crelan: CODAs have the
 *   numbering 000"
 * - several files for one statement: CORP support, "Meerdere CODA-bestanden voor 1 bankafschrift"
 * - another bank with the same account numbers, in the middle of December: Federal Public Service
 *   Finance, "Staatsrekeningen overgedragen aan BNP Paribas Fortis"
 * - 999 and then 1: the number has three positions (record 1, 126-128)
 */
export const banks: Readonly<Record<string, BankHabit>> = {
  'numbers restarting each year': { number: eachYear },
  'numbers restarting with the date of creation': {
    number: (_, createdOn, previous) =>
      isNewYear(createdOn, previous && { ...previous, date: previous.createdOn })
        ? 1
        : next(previous),
  },
  'numbers restarting each quarter': {
    number: (day, _, previous) =>
      previous === undefined || quarterOf(previous.date) !== quarterOf(day) ? 1 : next(previous),
  },
  'numbers never restarting, 999 followed by 1': {
    number: (_day, _createdOn, previous) => ((previous?.number ?? 850) % 999) + 1,
  },
  'the number 000 always': { number: () => 0 },
  'the day of the year as number': { number: (day) => dayOfYear(day) },
  'the day of the year of creation as number': { number: (_, createdOn) => dayOfYear(createdOn) },
  'the week as number': { number: (day) => isoWeek(day) },
  'the month as number': { number: (day) => Number(day.slice(5, 7)) },
  'one number per week': {
    number: (day, _, previous) => {
      if (isNewYear(day, previous)) return 1;
      const isSame = previous !== undefined && weekOf(previous.date) === weekOf(day);
      return isSame ? previous.number : next(previous);
    },
  },
  'one number per month': { number: eachMonth },
  'several files with the number of a day': {
    perDay: 3,
    number: (day, createdOn, previous, chance) =>
      previous?.date === day ? previous.number : eachYear(day, createdOn, previous, chance),
  },
  'several numbered statements of a day': { perDay: 3, number: eachYear },
  'another bank that counts anew': {
    number: (day, createdOn, previous, chance) =>
      previous !== undefined && previous.date < MOVE && day >= MOVE
        ? 1
        : eachYear(day, createdOn, previous, chance),
  },
  'another bank with one number per month': {
    number: (day, createdOn, previous, chance) =>
      (day < MOVE ? eachYear : eachMonth)(day, createdOn, previous, chance),
  },
  'numbers that are left out now and then': {
    number: (day, createdOn, previous, chance) =>
      eachYear(day, createdOn, previous, chance) + (chance(15) === 0 ? 1 : 0),
  },
  'numbers that are left out often': {
    number: (day, createdOn, previous, chance) =>
      eachYear(day, createdOn, previous, chance) + chance(3),
  },
  'an account that is emptied each day': {
    isEmptied: true,
    number: (_day, _createdOn, previous) => (previous?.number ?? 100) + 1,
  },
};

function quarterOf(day: string): string {
  return `${day.slice(0, 4)} ${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
}

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
export function accountYears({ hasStatement, bank }: AccountHabit, seed: number): ChainStatement[] {
  const chance = chanceOf(seed);
  const statements: ChainStatement[] = [];
  let balance = bank.isEmptied ? 0n : BigInt(chance(1_000_000)) * 10n;
  const first = Date.UTC(2024, 0, 1 + chance(366));
  for (let index = 0; index < 3 * 365; index += 1) {
    const date = new Date(first + index * 86_400_000).toISOString().slice(0, 10);
    if (!isBankingDay(date) || !hasStatement(date, chance)) continue;
    const createdOn = addBankingDays(date, 1);
    for (let count = 1 + chance(bank.perDay ?? 1); count > 0; count -= 1) {
      const oldBalance = balance;
      // Movements that cancel each other out are rare, and would leave no trace without a number.
      const change = BigInt(1 + chance(100_000)) * (chance(2) === 0 ? 10n : -10n);
      if (bank.isEmptied !== true) balance += change;
      const number = bank.number(date, createdOn, statements.at(-1), chance) % 1000;
      statements.push({ number, date, createdOn, oldBalance, newBalance: balance });
    }
  }
  return statements;
}
