import { formatThousandths } from '../amount.js';
import { givenTexts } from '../coda/given-text.js';
import { joinMessage } from '../coda/read/join-information.js';
import type { Movement, Statement } from '../coda/statement.js';
import { type PayrollBooking, totalPayrollLines } from '../codb/payroll-booking.js';
import { communicationText, informationTexts } from '../convert/communication-text.js';
import type { FindingLanguage } from '../finding-language.js';
import { movementName } from '../texts/movement-name.js';
import type { PrintedTexts } from '../texts/printed-texts.js';
import { textsOfLanguage } from '../texts/texts-of-language.js';
import type { ReadPart } from './read-parts.js';
import { reportWords } from './report-words.js';

/** Shows what is accepted as text, with an empty line below each statement and booking. */
export function shownPart({ statement, bookings }: ReadPart, language: FindingLanguage): string {
  return [
    ...(statement === undefined ? [] : [statementText(statement, language)]),
    ...bookings.map((booking) => bookingText(booking, language)),
  ].join('');
}

function statementText(
  { account, year, statementNumber, ...statement }: Statement,
  language: FindingLanguage,
): string {
  const words = reportWords[language];
  const { oldBalance, newBalance, movements, freeCommunications } = statement;
  const title = [
    account.iban ?? account.number,
    account.currency,
    account.extension,
    account.holder,
  ];
  return lines([
    `${year}/${statementNumber} ${title.filter((text) => text !== '').join(' ')}`,
    balanceLine(words.oldBalance, oldBalance.date, oldBalance.amount),
    ...movements.flatMap((movement) => movementLines(movement, textsOfLanguage[language])),
    newBalance && balanceLine(words.newBalance, newBalance.date, newBalance.amount),
    ...freeCommunications.map((message) => `  ${joinMessage(message)}`),
    '',
  ]);
}

function movementLines(movement: Movement, texts: PrintedTexts, indent = '  '): string[] {
  const { entryDate, amount, counterparty, details } = movement;
  const description = givenTexts([
    movementName(movement, texts),
    counterparty.name,
    counterparty.account,
    communicationText(movement.communication, texts),
    movement.customerReference,
  ]);
  const start = `${indent}${column(entryDate)} ${amountColumn(amount)}  `;
  return [
    start + description.join(' | '),
    ...informationTexts(movement, texts).map((text) => ' '.repeat(start.length) + text),
    ...details.flatMap((detail) => movementLines(detail, texts, `${indent}  `)),
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
    '',
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
