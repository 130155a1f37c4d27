import { formatThousandths } from '../amount.js';
import { transactionName } from '../coda/names/transaction-name.js';
import type { Movement, Statement } from '../coda/statement.js';
import { type PayrollBooking, totalPayrollLines } from '../codb/payroll-booking.js';
import type { FindingLanguage } from '../finding-language.js';
import type { ReadFile } from './read-file.js';
import { reportWords } from './report-words.js';

/** Shows a file as text. */
export function shownFile({ parts }: ReadFile, language: FindingLanguage): string {
  const shown = parts.flatMap(({ statement, bookings }) => [
    ...(statement === undefined ? [] : [statementText(statement, language)]),
    ...bookings.map((booking) => bookingText(booking, language)),
  ]);
  return shown.join('\n');
}

function statementText(
  { account, year, statementNumber, ...statement }: Statement,
  language: FindingLanguage,
): string {
  const words = reportWords[language];
  const { oldBalance, newBalance, movements } = statement;
  const title = [
    account.iban ?? account.number,
    account.currency,
    account.extension,
    account.holder,
  ];
  return lines([
    `${year}/${statementNumber} ${title.filter((text) => text !== '').join(' ')}`,
    balanceLine(words.oldBalance, oldBalance.date, oldBalance.amount),
    ...movements.flatMap((movement) => movementLines(movement, language)),
    newBalance && balanceLine(words.newBalance, newBalance.date, newBalance.amount),
  ]);
}

function movementLines(movement: Movement, language: FindingLanguage, indent = '  '): string[] {
  const { entryDate, amount, transactionCode, counterparty, communication, details } = movement;
  const text = 'text' in communication ? communication.text : '';
  const reference = 'reference' in communication ? communication.reference : '';
  const description = [
    transactionName(transactionCode, language),
    counterparty.name,
    reference,
    text,
  ];
  return [
    `${indent}${column(entryDate)} ${amountColumn(amount)}  ${description.filter((part) => part !== '').join(' | ')}`,
    ...details.flatMap((detail) => movementLines(detail, language, `${indent}  `)),
  ];
}

function balanceLine(label: string, date: string | undefined, amount: bigint): string {
  return `  ${column(date)} ${amountColumn(amount)}  ${label}`;
}

function bookingText(
  { lines: entries, ...booking }: PayrollBooking,
  language: FindingLanguage,
): string {
  const { debit, credit } = totalPayrollLines(entries);
  const { source, accountPeriod, enterpriseNumber, enterpriseName, sequenceNumber } = booking;
  return lines([
    `${accountPeriod}/${sequenceNumber} ${enterpriseNumber} ${enterpriseName} (${source})`,
    ...entries.map(
      ({ account, label, ...side }) =>
        `  ${amountColumn(side.debit)} ${amountColumn(side.credit)}  ${account} ${label}`,
    ),
    `  ${amountColumn(debit)} ${amountColumn(credit)}  ${reportWords[language].total}`,
  ]);
}

/** Joins lines. Control characters of a file must not reach a terminal. */
function lines(texts: readonly (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined)
    .map((text) => `${text.replace(/\p{Cc}/gu, ' ').trimEnd()}\n`)
    .join('');
}

function column(date: string | undefined): string {
  return (date ?? '').padEnd(10);
}

function amountColumn(amount: bigint): string {
  return formatThousandths(amount).padStart(18);
}
