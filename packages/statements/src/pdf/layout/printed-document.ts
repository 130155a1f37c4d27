import { setImmediate } from 'node:timers/promises';
import type { PrintedTexts } from '../../texts/printed-texts.js';
import {
  contentWidth,
  type PdfProperties,
  PdfSheet,
  page,
  type TextStyle,
  textStyles,
} from './pdf-sheet.js';
import {
  type CellLine,
  type Column,
  paginateRows,
  type Row,
  rowHeight,
  rowPadding,
} from './table-rows.js';
import { wrapText } from './wrap-text.js';

/** A label and its value. */
export interface Fact {
  readonly label: string;
  readonly value: string;
  readonly strong?: boolean;
}

/** A document of facts and one table, which may run over several pages. */
export interface PrintedDocument {
  readonly properties: PdfProperties;
  readonly title: string;
  /** Below the title; may be empty. */
  readonly subtitle: string;
  /** Two columns below the title. */
  readonly facts: readonly [readonly Fact[], readonly Fact[]];
  /** At the top of each page after the first. */
  readonly runningTitle: string;
  readonly columns: readonly Column[];
  /** Produces the rows, measuring their texts with the sheet. Called twice. */
  readonly rows: (sheet: PdfSheet) => Iterable<Row>;
}

const labelWidth = 92;
const gap = 6;
const headerHeight = textStyles.columnTitle.leading + 8;
const colours = { band: '#e9edf2', thin: '#c9ced6', thick: '#3a4657' } as const;
const foot = page.height - page.bottom;

/**
 * Renders a document as a PDF. The same document gives the same bytes. A long one takes seconds, in
 * which it yields to the event loop.
 */
export async function printDocument(
  document: PrintedDocument,
  texts: PrintedTexts,
): Promise<Uint8Array> {
  const sheet = await PdfSheet.create(document.properties);
  const facts = document.facts.map((column) => wrapFacts(column, sheet));
  const factsHeight = Math.max(...facts.map((lines) => lines.length)) * textStyles.value.leading;
  const subtitleHeight = document.subtitle === '' ? 0 : textStyles.subtitle.leading;
  const titleHeight = textStyles.title.leading + subtitleHeight + 8;
  const firstTop = page.margin + titleHeight + factsHeight + 12;
  const nextTop = page.margin + textStyles.label.leading + 6;
  // The rows are produced twice, first to count the pages, so that a long document is never held
  // whole.
  const pages = () =>
    paginateRows(
      document.rows(sheet),
      foot - firstTop - headerHeight,
      foot - nextTop - headerHeight,
    );
  let pageCount = 0;
  for (const _ of pages()) {
    await setImmediate();
    pageCount += 1;
  }
  const [runningTitle = ''] = wrapText(
    document.runningTitle,
    contentWidth,
    textStyles.label,
    sheet,
  );
  let number = 0;
  for (const rows of pages()) {
    await setImmediate();
    number += 1;
    sheet.addPage();
    if (number === 1) setHead(document, facts, page.margin + titleHeight, sheet);
    else sheet.setLine(runningTitle, page.margin, page.margin, textStyles.label);
    setRows(rows, document.columns, number === 1 ? firstTop : nextTop, sheet);
    const footer = texts.page(number, pageCount);
    sheet.setLine(footer, page.width - page.margin, foot + 14, textStyles.footer, 'right');
  }
  return sheet.finish();
}

/** One line of a fact; only the first has the label. */
interface FactLine {
  readonly label: string;
  readonly text: string;
  readonly style: TextStyle;
}

function wrapFacts(facts: readonly Fact[], sheet: PdfSheet): FactLine[] {
  return facts.flatMap(({ label, value, strong }) => {
    const style = strong ? textStyles.strongValue : textStyles.value;
    const width = contentWidth / 2 - labelWidth - gap;
    return wrapText(value, width, style, sheet).map((text, index) => ({
      label: index === 0 ? label : '',
      text,
      style,
    }));
  });
}

function setHead(
  { title, subtitle }: PrintedDocument,
  facts: readonly (readonly FactLine[])[],
  factsTop: number,
  sheet: PdfSheet,
): void {
  sheet.setLine(title, page.margin, page.margin, textStyles.title);
  const below = page.margin + textStyles.title.leading + 2;
  const [first = ''] = wrapText(subtitle, contentWidth, textStyles.subtitle, sheet);
  sheet.setLine(first, page.margin, below, textStyles.subtitle);
  for (const [column, lines] of facts.entries()) {
    const left = page.margin + (column * contentWidth) / 2;
    for (const [index, { label, text, style }] of lines.entries()) {
      const y = factsTop + index * textStyles.value.leading;
      sheet.setLine(label, left, y + 0.9, textStyles.label);
      sheet.setLine(text, left + labelWidth, y, style);
    }
  }
}

function setRows(
  rows: readonly Row[],
  columns: readonly Column[],
  top: number,
  sheet: PdfSheet,
): void {
  sheet.fill(page.margin, top, contentWidth, headerHeight, colours.band);
  const titles = columns.map(({ title }) => [
    { text: title, style: textStyles.columnTitle, indent: 0 },
  ]);
  setCells(titles, columns, top + 4, sheet);
  let y = top + headerHeight;
  for (const [index, row] of rows.entries()) {
    if (row.rule === 'thick') sheet.rule(y, 0.9, colours.thick);
    else if (row.rule === 'thin' && index > 0) sheet.rule(y, 0.4, colours.thin);
    setCells(row.cells, columns, y + rowPadding(row), sheet);
    y += rowHeight(row);
  }
}

function setCells(
  cells: readonly (readonly CellLine[])[],
  columns: readonly Column[],
  top: number,
  sheet: PdfSheet,
): void {
  let left: number = page.margin;
  for (const [index, { width, align }] of columns.entries()) {
    let y = top;
    for (const { text, style, indent } of cells[index] ?? []) {
      const x = align === 'left' ? left + gap / 2 + indent : left + width - gap / 2 - indent;
      sheet.setLine(text, x, y, style, align);
      y += style.leading;
    }
    left += width;
  }
}

/** The width of a column's text, in points; 0 if there is no such column. */
export function textWidth(column: Column | undefined): number {
  return column ? column.width - gap : 0;
}
