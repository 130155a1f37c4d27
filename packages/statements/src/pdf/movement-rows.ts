import type { Movement } from '../coda/statement.js';
import { formatAccount, formatAmount, formatDate } from './belgian-format.js';
import { communicationLines } from './communication-lines.js';
import { type PdfSheet, type TextStyle, textStyles } from './pdf-sheet.js';
import { textWidth } from './printed-document.js';
import type { PrintedTexts } from './printed-texts.js';
import type { CellLine, Column, Row } from './table-rows.js';
import { wrapCell } from './wrap-text.js';

/**
 * The columns of a statement. Amounts of details, which do not count, have a column of their own.
 */
export function movementColumns(texts: PrintedTexts, withDetails: boolean): Column[] {
  const detailWidth = withDetails ? 76 : 0;
  return [
    { title: texts.sequence, width: 30, align: 'right' },
    { title: texts.entryDate, width: 56, align: 'left' },
    { title: texts.valueDate, width: 56, align: 'left' },
    { title: texts.movement, width: 285.28 - detailWidth, align: 'left' },
    ...(withDetails ? [{ title: texts.detail, width: detailWidth, align: 'right' as const }] : []),
    { title: texts.amount, width: 88, align: 'right' },
  ];
}

/** The indent of a detail, in points. */
const indentOfDetail = 12;

/** The number of records 3 in one row. More follow in rows of their own, so that no row is very long. */
const informationPerRow = 50;

/** Returns the rows of a movement and its details. */
export function* movementRows(
  movement: Movement,
  columns: readonly Column[],
  texts: PrintedTexts,
  sheet: PdfSheet,
  depth = 0,
): Generator<Row, void> {
  const isDetail = depth > 0;
  const plain = isDetail ? textStyles.quiet : textStyles.body;
  const cell = (text: string, style: TextStyle): CellLine[] => [{ text, style, indent: 0 }];
  const date = (value: string | undefined) => cell(value ? formatDate(value) : '', plain);
  const amount = formatAmount(movement.amount, 'always');
  const hasDetailColumn = columns.length > 5;
  const indent = Math.min(depth, 4) * indentOfDetail;
  const { information, details } = movement;
  yield {
    cells: [
      cell(isDetail ? '' : `${movement.sequence}`, plain),
      date(movement.entryDate),
      date(movement.valueDate),
      wrapAll(describe(movement, texts, indent > 0), columns, sheet, indent),
      ...(hasDetailColumn ? [cell(isDetail ? amount : '', plain)] : []),
      cell(isDetail ? '' : amount, textStyles.strong),
    ],
    rule: isDetail ? 'none' : 'thin',
    keepWithNext: details.length > 0 && information.length <= informationPerRow,
  };
  for (let from = informationPerRow; from < information.length; from += informationPerRow) {
    const lines = wrapAll(informationTexts(information, from, texts), columns, sheet, indent);
    yield { cells: [[], [], [], lines], rule: 'none', keepWithNext: false };
  }
  for (const detail of details) {
    yield* movementRows(detail, columns, texts, sheet, depth + 1);
  }
}

type StyledText = readonly [text: string, style: TextStyle];

/** Returns the description of a movement, with its first pieces of information. */
function describe(movement: Movement, texts: PrintedTexts, isDetail: boolean): StyledText[] {
  const { counterparty, customerReference, information, rTransaction, reason } = movement;
  const plain = isDetail ? textStyles.quiet : textStyles.body;
  const rKind = texts.rTransactions[rTransaction];
  const family = texts.families[movement.transactionCode.family] ?? texts.otherFamily;
  const meaning = rKind === undefined ? family : `${family} – ${rKind} ${reason}`;
  const account = [formatAccount(counterparty.account), counterparty.bic];
  return [
    [meaning, isDetail ? plain : textStyles.strong],
    [counterparty.name, plain],
    [account.filter((part) => part !== '').join(' · '), plain],
    ...communicationLines(movement.communication, texts).map(paired(plain)),
    [customerReference === '' ? '' : `${texts.yourReference} ${customerReference}`, plain],
    ...informationTexts(information, 0, texts),
  ];
}

/** Returns the texts of as many pieces of information as one row has, from an index. */
function informationTexts(
  information: Movement['information'],
  from: number,
  texts: PrintedTexts,
): StyledText[] {
  return information
    .slice(from, from + informationPerRow)
    .flatMap(({ communication }) => communicationLines(communication, texts))
    .map(paired(textStyles.quiet));
}

function wrapAll(
  styledTexts: readonly StyledText[],
  columns: readonly Column[],
  sheet: PdfSheet,
  indent: number,
): CellLine[] {
  const width = textWidth(columns[3]);
  return styledTexts.flatMap(([text, style]) => wrapCell(text, width, style, sheet, indent));
}

function paired(style: TextStyle): (text: string) => StyledText {
  return (text) => [text, style];
}
