import { formatThousandths } from '../amount.js';
import { givenText, givenTexts } from '../coda/given-text.js';
import { transactionName } from '../coda/names/transaction-name.js';
import { joinInformation } from '../coda/read/join-information.js';
import type { Movement, Statement } from '../coda/statement.js';
import type { PayrollBooking } from '../codb/payroll-booking.js';
import { toJsonValue } from '../json-value.js';

/** The columns of statements in CSV. */
const statementColumns = [
  ...['account', 'currency', 'extension', 'statement', 'sequence', 'detail'],
  ...['entryDate', 'valueDate', 'amount'],
  ...['code', 'operation', 'counterparty', 'counterpartyAccount', 'counterpartyBic'],
  ...['communication', 'customerReference', 'bankReference', 'information'],
];

/** The columns of payroll bookings in CSV. */
const payrollColumns = [
  ...['enterpriseNumber', 'source', 'sequenceNumber', 'accountPeriod', 'socialPeriod'],
  ...['department', 'account', 'label', 'debit', 'credit'],
];

/**
 * Writes the movements of statements as CSV (RFC 4180): a row of columns, and a row for each movement. A movement
 * with detail 0 counts towards the balance; the others explain it. Amounts have a decimal point and three decimals.
 */
export function statementsCsv(statements: readonly Statement[]): string {
  const rows = statements.flatMap((statement) => {
    const { account, year, statementNumber } = statement;
    const { iban, number, currency, extension } = account;
    const start = [iban ?? number, currency, extension, `${year}/${statementNumber}`];
    const all = statement.movements.flatMap(withDetails);
    return all.map((movement) => [...start.map(cellOf), ...movementCells(movement)]);
  });
  return [statementColumns, ...rows].map(csvRow).join('');
}

/** Writes the lines of payroll bookings as CSV. */
export function payrollCsv(bookings: readonly PayrollBooking[]): string {
  const rows = bookings.flatMap(({ lines, ...booking }) => {
    const { enterpriseNumber, source, sequenceNumber, accountPeriod } = booking;
    const start = [enterpriseNumber, source, `${sequenceNumber}`, accountPeriod];
    return lines.map(({ socialPeriod, department, account, label, debit, credit }) => [
      ...[...start, socialPeriod, department ?? '', account, label].map(cellOf),
      ...[debit, credit].map(formatThousandths),
    ]);
  });
  return [payrollColumns, ...rows].map(csvRow).join('');
}

/** Writes the cells of a row. */
function csvRow(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(',')}\r\n`;
}

function withDetails(movement: Movement): Movement[] {
  return [movement, ...movement.details.flatMap(withDetails)];
}

function movementCells(movement: Movement): string[] {
  const { transactionCode, counterparty, information } = movement;
  const { type, family, operation, category } = transactionCode;
  return [
    ...[`${movement.sequence}`, `${movement.detail}`],
    ...[movement.entryDate ?? '', movement.valueDate ?? '', formatThousandths(movement.amount)],
    ...[
      `${type}${family}${operation}${category}`,
      transactionName(transactionCode, 'en'),
      ...[counterparty.name, givenText(counterparty.account), givenText(counterparty.bic)],
      communicationText(movement.communication),
      ...[givenText(movement.customerReference), movement.bankReference],
      informationText(information),
    ].map(cellOf),
  ];
}

function informationText(information: Movement['information']): string {
  const texts = joinInformation(information).map(({ communication }) =>
    communicationText(communication),
  );
  return givenTexts(texts).join(' ');
}

/** A text as it is, a structured communication as its fields in JSON. */
function communicationText(
  communication: Movement['communication'] | Movement['information'][number]['communication'],
): string {
  if (communication.kind !== 'structured') return givenText(communication.text);
  const { kind, ...fields } = toJsonValue(communication);
  return JSON.stringify(fields);
}

/** A text as a cell. A program for spreadsheets would run one that begins like a formula, so it gets an apostrophe. */
function cellOf(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
