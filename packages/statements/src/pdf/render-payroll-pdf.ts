import {
  type PayrollBooking,
  type PayrollLine,
  totalPayrollLines,
} from '../codb/payroll-booking.js';
import {
  formatAmount,
  formatDate,
  formatEnterpriseNumber,
  formatPeriod,
} from '../texts/belgian-format.js';
import type { PrintedTexts } from '../texts/printed-texts.js';
import { textsOfLanguage } from '../texts/texts-of-language.js';
import { contentWidth, type PdfSheet, type TextStyle, textStyles } from './layout/pdf-sheet.js';
import { printDocument, textWidth } from './layout/printed-document.js';
import type { Column, Row } from './layout/table-rows.js';
import { wrapCell } from './layout/wrap-text.js';
import type { RenderOptions } from './render-statement-pdf.js';

/**
 * Renders a payroll booking as a PDF on A4: the lines by department, in file order, with totals.
 * The same booking gives the same bytes.
 */
export async function renderPayrollPdf(
  booking: PayrollBooking,
  { language }: RenderOptions,
): Promise<Uint8Array> {
  const texts = textsOfLanguage[language];
  const period = formatPeriod(booking.accountPeriod);
  const title = `${texts.payroll} ${period}`;
  const number = formatEnterpriseNumber(booking.enterpriseNumber);
  const columns = payrollColumns(texts);
  return printDocument(
    {
      properties: {
        title,
        subject: `${booking.enterpriseName} ${number}`,
        language,
        date: booking.generationDate,
      },
      title,
      subtitle: '',
      facts: [
        [
          { label: texts.employer, value: booking.enterpriseName, strong: true },
          { label: texts.enterpriseNumber, value: `BE ${number}` },
          { label: texts.accountPeriod, value: period, strong: true },
        ],
        [
          { label: texts.provider, value: booking.source },
          { label: texts.number, value: `${booking.sequenceNumber}`, strong: true },
          { label: texts.date, value: formatDate(booking.generationDate) },
        ],
      ],
      runningTitle: [booking.enterpriseName, number, booking.source, title].join(' · '),
      columns,
      rows: (sheet) => payrollRows(booking.lines, columns, texts, sheet),
    },
    texts,
  );
}

function payrollColumns(texts: PrintedTexts): Column[] {
  return [
    { title: texts.generalAccount, width: 72, align: 'left' },
    { title: texts.label, width: contentWidth - 300, align: 'left' },
    { title: texts.socialPeriod, width: 52, align: 'left' },
    { title: texts.debit, width: 88, align: 'right' },
    { title: texts.credit, width: 88, align: 'right' },
  ];
}

function payrollRows(
  lines: readonly PayrollLine[],
  columns: readonly Column[],
  texts: PrintedTexts,
  sheet: PdfSheet,
): Row[] {
  const row = (values: readonly string[], style: TextStyle, rule: Row['rule']): Row => ({
    cells: values.map((value, index) => wrapCell(value, textWidth(columns[index]), style, sheet)),
    rule,
    keepWithNext: false,
    headings: [],
  });
  const side = (amount: bigint): string => (amount === 0n ? '' : formatAmount(amount));
  const total = (label: string, of: readonly PayrollLine[]): Row => {
    const { debit, credit } = totalPayrollLines(of);
    const sides = [formatAmount(debit), formatAmount(credit)];
    return row(['', label, '', ...sides], textStyles.strong, 'thick');
  };
  const departments = byDepartment(lines);
  const hasDepartments = lines.some(({ department }) => department !== undefined);
  const rows = [...departments].flatMap(([department, members]) => {
    const entries = members.map(({ account, label, socialPeriod, debit, credit }) =>
      row(
        [account, label, formatPeriod(socialPeriod), side(debit), side(credit)],
        textStyles.body,
        'thin',
      ),
    );
    if (!hasDepartments) return entries;
    const name = department ?? texts.withoutDepartment;
    const inSentence = name.charAt(0).toLowerCase() + name.slice(1);
    const title = department === undefined ? name : `${texts.department} ${name}`;
    const heading = row(['', title], textStyles.strong, 'thick');
    const again = row(['', `${title} (${texts.continued})`], textStyles.strong, 'none');
    const parts = [...entries, total(texts.subtotal(department ?? inSentence), members)];
    return [
      { ...heading, keepWithNext: true },
      ...parts.map((each): Row => ({ ...each, headings: [again] })),
    ];
  });
  return [...rows, total(texts.total, lines)];
}

function byDepartment(
  lines: readonly PayrollLine[],
): ReadonlyMap<string | undefined, readonly PayrollLine[]> {
  const departments = new Map<string | undefined, PayrollLine[]>();
  for (const line of lines) {
    const members = departments.get(line.department);
    if (members) members.push(line);
    else departments.set(line.department, [line]);
  }
  return departments;
}
