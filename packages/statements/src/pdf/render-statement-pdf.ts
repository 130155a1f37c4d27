import { joinMessage } from '../coda/read/join-information.js';
import { type Statement, statementDate } from '../coda/statement.js';
import {
  formatAccount,
  formatAmount,
  formatDate,
  formatEnterpriseNumber,
} from '../texts/belgian-format.js';
import type { PrintedLanguage, PrintedTexts } from '../texts/printed-texts.js';
import { textsOfLanguage } from '../texts/texts-of-language.js';
import { type PdfSheet, type TextStyle, textStyles } from './layout/pdf-sheet.js';
import { type Fact, printDocument, textWidth } from './layout/printed-document.js';
import type { CellLine, Column, Row } from './layout/table-rows.js';
import { wrapCell } from './layout/wrap-text.js';
import { movementColumns, movementRows } from './movement-rows.js';

export interface RenderOptions {
  readonly language: PrintedLanguage;
}

export interface RenderStatementOptions extends RenderOptions {
  /** The bank's name, of which a file has only the BIC. */
  readonly bankName?: string | undefined;
}

/**
 * Renders a statement of account as a PDF on A4. The same statement gives the same bytes.
 *
 * @example await writeFile('statement.pdf', await renderStatementPdf(statement, { language: 'fr' }));
 */
export async function renderStatementPdf(
  statement: Statement,
  { language, bankName }: RenderStatementOptions,
): Promise<Uint8Array> {
  const texts = textsOfLanguage[language];
  const { account, header } = statement;
  const number = numberOf(statement);
  const title = `${texts.statement} ${number || formatDate(statementDate(statement))}`;
  const holder = account.holder || header.addressee;
  const printedAccount = accountOf(statement);
  const columns = movementColumns(
    texts,
    statement.movements.some(({ details }) => details.length > 0),
  );
  const flags = [
    header.duplicate ? texts.duplicate : '',
    header.separateApplication === '00000' ? '' : texts.subset,
  ];
  return printDocument(
    {
      properties: {
        title,
        subject: `${holder} ${printedAccount}`,
        language,
        date: header.creationDate,
      },
      title,
      subtitle: flags.filter((flag) => flag !== '').join(' – '),
      facts: [holderFacts(statement, texts), numberFacts(statement, number, bankName, texts)],
      runningTitle: [holder, printedAccount, account.currency, title].join(' · '),
      columns,
      rows: (sheet) => statementRows(statement, columns, texts, sheet),
    },
    texts,
  );
}

/** The year and number of a statement; empty if the bank gives no number. */
function numberOf({ year, statementNumber }: Statement): string {
  return statementNumber === 0 ? '' : `${year}/${String(statementNumber).padStart(3, '0')}`;
}

/** The account, and its extension if sub-accounts share its number. */
function accountOf({ account }: Statement): string {
  const number = formatAccount(account.iban ?? account.number);
  return account.extension === '' ? number : `${number} / ${account.extension}`;
}

function holderFacts(statement: Statement, texts: PrintedTexts): Fact[] {
  const { account, header } = statement;
  return [
    { label: texts.holder, value: account.holder || header.addressee, strong: true },
    { label: texts.enterpriseNumber, value: formatEnterpriseNumber(header.enterpriseNumber) },
    { label: texts.account, value: accountOf(statement), strong: true },
    { label: texts.currency, value: account.currency },
    { label: texts.description, value: account.description },
  ];
}

function numberFacts(
  statement: Statement,
  number: string,
  bankName: string | undefined,
  texts: PrintedTexts,
): Fact[] {
  const { header, oldBalance, newBalance, paperNumber, movements } = statement;
  const { bic } = header;
  const days = [oldBalance.date, newBalance?.date ?? header.creationDate];
  const period = days.flatMap((date) => (date === undefined ? [] : [formatDate(date)]));
  return [
    { label: texts.bank, value: bankName === undefined ? bic : `${bankName} (${bic})` },
    { label: texts.statementNumber, value: number, strong: true },
    { label: texts.paperNumber, value: paperNumber === 0 ? '' : `${paperNumber}` },
    { label: texts.period, value: [...new Set(period)].join(' – ') },
    { label: texts.movements, value: `${movements.length}` },
  ];
}

function* statementRows(
  statement: Statement,
  columns: readonly Column[],
  texts: PrintedTexts,
  sheet: PdfSheet,
): Generator<Row, void> {
  const { header, oldBalance, newBalance, movements, trailer, account } = statement;
  const sum = (label: string, amount: bigint, rule: Row['rule'], date?: string): Row =>
    summaryRow(columns, {
      label,
      date,
      amount: `${formatAmount(amount, 'always')} ${account.currency}`,
      rule,
    });
  const closing = newBalance ?? oldBalance;
  // The balances of a separate application are zero, whatever those of the account are.
  const hasBalances = header.separateApplication === '00000';
  if (hasBalances) yield sum(texts.oldBalance, oldBalance.amount, 'none', oldBalance.date);
  for (const movement of movements) yield* movementRows(movement, columns, texts, sheet);
  if (movements.length === 0) yield summaryRow(columns, { label: texts.none, rule: 'thin' });
  yield { ...sum(texts.totalDebit, -trailer.debitTotal, 'thick'), keepWithNext: true };
  yield { ...sum(texts.totalCredit, trailer.creditTotal, 'none'), keepWithNext: hasBalances };
  if (hasBalances) yield sum(texts.newBalance, closing.amount, 'none', closing.date);
  yield* messageRows(statement, columns, texts, sheet);
}

/**
 * The bank's messages (records 4), after the balance. Produced one by one, as a file may have many.
 */
function* messageRows(
  { freeCommunications }: Statement,
  columns: readonly Column[],
  texts: PrintedTexts,
  sheet: PdfSheet,
): Generator<Row, void> {
  if (freeCommunications.length === 0) return;
  const width = textWidth(columns[3]);
  const row = (text: string, style: TextStyle, rule: Row['rule']): Row => ({
    cells: [[], [], [], wrapCell(text, width, style, sheet)],
    rule,
    keepWithNext: rule === 'thick',
    headings: [],
  });
  yield row(texts.bankMessages, textStyles.strong, 'thick');
  for (const message of freeCommunications) {
    yield row(joinMessage(message), textStyles.body, 'none');
  }
}

interface Summary {
  readonly label: string;
  readonly date?: string | undefined;
  readonly amount?: string;
  readonly rule: Row['rule'];
}

function summaryRow(columns: readonly Column[], { label, date, amount, rule }: Summary): Row {
  const strong = (text: string): CellLine[] =>
    text === '' ? [] : [{ text, style: textStyles.strong, indent: 0 }];
  const cells = [[], strong(date ? formatDate(date) : ''), [], strong(label)];
  const blank = Array.from({ length: columns.length - 5 }, (): CellLine[] => []);
  return {
    cells: [...cells, ...blank, strong(amount ?? '')],
    rule,
    keepWithNext: false,
    headings: [],
  };
}
