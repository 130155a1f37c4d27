import { formatThousandths } from '../amount.js';
import { detailDifference } from '../coda/detail-difference.js';
import { givenText } from '../coda/given-text.js';
import { type Movement, type Statement, statementDate } from '../coda/statement.js';
import type { PayrollBooking } from '../codb/payroll-booking.js';
import { movementName, purposesOf } from '../texts/movement-name.js';
import { englishTexts } from '../texts/printed-texts-en.js';
import { communicationText, informationTexts } from './communication-text.js';

// CSV as Excel opens it by a double click where numbers are written as in Belgium: semicolons,
// decimal commas, and a byte order mark, without which letters beyond ASCII are read as
// windows-1252 (D-46).
const byteOrderMark = '\uFEFF';

/** The first row, by the format that was read. */
export const csvColumns = {
  CODA:
    byteOrderMark +
    csvRow([
      ...['account', 'currency', 'extension', 'year', 'statement', 'sequence', 'detail'],
      ...['entryDate', 'valueDate', 'amount'],
      ...['code', 'operation', 'counterparty', 'counterpartyAccount', 'counterpartyBic'],
      ...['communication', 'customerReference', 'bankReference', 'information'],
    ]),
  CODB:
    byteOrderMark +
    csvRow([
      ...['enterpriseNumber', 'source', 'sequenceNumber', 'accountPeriod', 'socialPeriod'],
      ...['department', 'account', 'label', 'debit', 'credit'],
    ]),
} as const;

/**
 * Writes the movements of statements as CSV for spreadsheets: a row of columns, and a row for each
 * movement, with semicolons, decimal commas and a byte order mark. A movement with detail 0 counts
 * towards the balance; the others explain it. A text that a spreadsheet would run or change has an
 * apostrophe before that (D-46).
 */
export function statementsCsv(statements: readonly Statement[]): string {
  return csvColumns.CODA + statements.map(statementRows).join('');
}

/** Writes the lines of payroll bookings as CSV for spreadsheets. */
export function payrollCsv(bookings: readonly PayrollBooking[]): string {
  return csvColumns.CODB + bookings.map(payrollRows).join('');
}

export function statementRows(statement: Statement): string {
  const { account, year, statementNumber, movements } = statement;
  const { iban, number, currency, extension } = account;
  const start = [iban ?? number, currency, extension].map(textCell);
  return movements
    .flatMap((movement) => cellsWithDetails(movement, statementDate(statement)))
    .map((cells) => csvRow([...start, year, statementNumber, ...cells]))
    .join('');
}

export function payrollRows({ lines, ...booking }: PayrollBooking): string {
  const { enterpriseNumber, source, sequenceNumber, accountPeriod } = booking;
  const start = [
    `BE${enterpriseNumber}`,
    textCell(source),
    textCell(`${sequenceNumber}`),
    accountPeriod,
  ];
  return lines
    .map(({ socialPeriod, department, account, label, debit, credit }) =>
      csvRow([
        ...[...start, socialPeriod, textCell(department ?? ''), textCell(account), textCell(label)],
        ...[amountCell(debit), amountCell(credit)],
      ]),
    )
    .join('');
}

function csvRow(cells: readonly (string | number)[]): string {
  const quoted = cells.map((cell) =>
    /[";\r\n]/.test(`${cell}`) ? `"${`${cell}`.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(';')}\r\n`;
}

/**
 * Returns the cells of a movement and of its details, with what the details lack (D-70).
 *
 * @param date the entry date if it has none, `YYYY-MM-DD`
 */
function cellsWithDetails(movement: Movement, date: string): (string | number)[][] {
  const entryDate = movement.entryDate ?? date;
  const difference = detailDifference(movement);
  const { sequence, details } = movement;
  const cells = [sequence, '', '', '', amountCell(difference), '', '', '', '', ''];
  return [
    movementCells(movement, entryDate),
    ...details.flatMap((detail) => cellsWithDetails(detail, entryDate)),
    ...(difference === 0n ? [] : [[...cells, englishTexts.difference, '', '', '']]),
  ];
}

function movementCells(movement: Movement, entryDate: string): (string | number)[] {
  const { sequence, detail, valueDate, transactionCode, counterparty } = movement;
  const { type, family, operation, category } = transactionCode;
  return [
    ...[sequence, detail, entryDate, valueDate ?? '', amountCell(movement.amount)],
    `${type}-${family}-${operation}-${category}`,
    ...[
      movementName(movement, englishTexts),
      ...[counterparty.name, counterparty.account, counterparty.bic].map(givenText),
      communicationText(movement.communication),
      ...[givenText(movement.customerReference), movement.bankReference],
      [...informationTexts(movement), ...purposesOf(movement, englishTexts)].join(' '),
    ].map(textCell),
  ];
}

/** Two decimals, or three if the third is not 0. */
function amountCell(amount: bigint): string {
  return formatThousandths(amount).replace(/0$/, '').replace('.', ',');
}

/**
 * The first characters of formulas, also in the full width of East Asian letters, where a cell
 * begins for whoever opens the file with semicolons, commas or tabs. Readers leave out blanks,
 * quotes and invisible characters before.
 */
const formula = /(?<=(?:^|[;,\t\r\n])[\s"\p{Cc}\p{Cf}]*?)[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/gu;
/** Digits that may be a date, a percentage, or a number with zeros or decimals. */
const numeral = /^[.,(]?\d[\d\s.,:/eE+%)-]*$/;
/** A number that is shown with all its digits. */
const shownNumber = /^(?:0|[1-9]\d{0,10})$/;
/** A month in the languages of Belgium or in English, with a day or a year. */
const monthDate =
  /^(?=.*\d)(?:\d{1,2}[\s./-]*)?(?:jan|f[eé]v|feb|m[aä]r|maa|mrt|a[pv]r|mei|mai|may|jui|ju[ln]|aug|ao[uû]|sep|o[ck]t|nov|d[eé]c|dez)\p{L}*[\s./-]*(?:\d{1,4})?$/iu;

/**
 * A text as a cell. Texts come from strangers, and a spreadsheet runs formulas and changes numbers
 * and dates.
 */
function textCell(untrimmed: string): string {
  const text = untrimmed.trim();
  const isNumber = numeral.test(text) && !shownNumber.test(text);
  const start = isNumber || monthDate.test(text) ? "'" : '';
  return start + text.replace(formula, "'$&");
}
