import type { MovementDraft, StatementDraft } from '@adx/statements';
import { addDays } from '../../dates/brussels-day.js';
import { bankingDayFrom, bankingDaysBefore } from './banking-days.js';
import type { BookingDay } from './booking-day.js';
import { fit } from './booking-day.js';
import { type Business, businessOf } from './business.js';
import { expenses } from './expenses.js';
import { amount, seededRandom, whole } from './random.js';
import { receipts } from './receipts.js';
import { statementTexts } from './texts.js';

/** An account as its statements name it. */
export interface DemoAccount {
  readonly iban: string;
  /** Without spaces. */
  readonly bic: string;
  readonly holder: string;
  /** Ten digits. */
  readonly enterpriseNumber: string;
}

/** A day of the account; most days bring a statement. */
export interface BookedDay {
  readonly day: string;
  readonly statement: StatementDraft | undefined;
}

/**
 * The books of an account, one banking day after the other and without end: each old balance is the
 * new one of the statement before, and numbers start again each year. The same account and first day
 * give the same statements, whenever they are asked for.
 *
 * @param firstDay - `YYYY-MM-DD`; nothing is booked before
 */
export function* accountBook(account: DemoAccount, firstDay: string): Generator<BookedDay, never> {
  const business = businessOf(account.iban);
  const start = seededRandom(`${account.iban} start`);
  const sendsEmptyOnes = start() < 0.4;
  let day = bankingDayFrom(firstDay);
  // Many days of a quiet account bring none.
  const number = Math.ceil(bankingDaysBefore(day) * (business.isMain ? 1 : 0.25));
  let last: LastStatement = {
    number: sendsEmptyOnes ? bankingDaysBefore(day) : number,
    balance: amount(start, 12_000, 40_000),
    day: addDays(day, -1),
  };
  for (; ; day = bankingDayFrom(addDays(day, 1))) {
    const movements = movementsOf(account, business, day, last.balance);
    if (movements.length === 0 && !sendsEmptyOnes) {
      yield { day, statement: undefined };
      continue;
    }
    const isNewYear = day.slice(0, 4) !== last.day.slice(0, 4);
    const statementNumber = isNewYear ? 1 : last.number + 1;
    yield { day, statement: draft(account, business, { day, statementNumber, movements, last }) };
    const moved = movements.reduce((sum, movement) => sum + movement.amount, 0n);
    last = { number: statementNumber, balance: last.balance + moved, day };
  }
}

interface LastStatement {
  readonly number: number;
  readonly balance: bigint;
  readonly day: string;
}

function movementsOf(
  { iban, holder }: DemoAccount,
  business: Business,
  day: string,
  balance: bigint,
): MovementDraft[] {
  const random = seededRandom(`${iban} ${day}`);
  const booking: BookingDay = { day, balance, business, holder, random };
  const movements = [...receipts(booking), ...expenses(booking)];
  let count = whole(random, 100, 800) * 1_000;
  const book = (movement: MovementDraft): MovementDraft => {
    count += 1;
    const bankReference = `${day.slice(2).replaceAll('-', '')}${iban.slice(4, 7)}${count}`;
    const details = movement.details?.map(book);
    const dated = { valueDate: day, entryDate: day, ...movement, bankReference };
    return details === undefined ? dated : { ...dated, details };
  };
  return movements.map(book);
}

function draft(
  { iban, bic, holder, enterpriseNumber }: DemoAccount,
  { language }: Business,
  { day, statementNumber, movements, last }: Booked,
): StatementDraft {
  const texts = statementTexts[language];
  return {
    header: {
      ...{ creationDate: day, bic, enterpriseNumber, addressee: fit(holder, 26) },
      bankCode: iban.startsWith('BE') ? iban.slice(4, 7) : '000',
    },
    account: {
      structure: iban.startsWith('BE') ? 2 : 3,
      ...{ number: iban, currency: 'EUR', holder: fit(holder, 26), description: texts.account },
    },
    statementNumber,
    oldBalance: { amount: last.balance, date: last.day },
    newBalance: { date: day },
    movements,
    // The first statement of a month brings the bank's news.
    ...(day.slice(0, 7) !== last.day.slice(0, 7) && {
      freeCommunications: [{ lines: texts.news }],
    }),
  };
}

interface Booked {
  readonly day: string;
  readonly statementNumber: number;
  readonly movements: readonly MovementDraft[];
  readonly last: LastStatement;
}
