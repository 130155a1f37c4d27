import { detailDifference } from '../coda/detail-difference.js';
import { joinInformation } from '../coda/read/join-information.js';
import type { Movement } from '../coda/statement.js';
import { formatAmount, formatDate } from '../texts/belgian-format.js';
import { informationLines, separator } from '../texts/communication-texts.js';
import { movementName } from '../texts/movement-name.js';
import type { PrintedTexts } from '../texts/printed-texts.js';
import { contentWidth, type PdfSheet, type TextStyle, textStyles } from './layout/pdf-sheet.js';
import { textWidth } from './layout/printed-document.js';
import type { CellLine, Column, Row } from './layout/table-rows.js';
import { wrapCell } from './layout/wrap-text.js';
import { describeMovement, type StyledText, textsOfAllDetails } from './movement-texts.js';

/**
 * The columns of a statement. Amounts of details, which do not count, have a column of their own,
 * into which the descriptions of other movements extend.
 */
export function movementColumns(texts: PrintedTexts, withDetails: boolean): Column[] {
  const detailWidth = withDetails ? 70 : 0;
  const movementWidth = contentWidth - 26 - 2 * 52 - detailWidth - 86;
  return [
    { title: texts.sequence, width: 26, align: 'right' },
    { title: texts.entryDate, width: 52, align: 'left' },
    { title: texts.valueDate, width: 52, align: 'left' },
    { title: texts.movement, width: movementWidth, align: 'left' },
    ...(withDetails ? [{ title: texts.detail, width: detailWidth, align: 'right' as const }] : []),
    { title: texts.amount, width: 86, align: 'right' },
  ];
}

/** The indent of a detail, in points. */
const indentOfDetail = 12;

/**
 * The number of records 3 in one row. More follow in rows of their own, so that no row is very
 * long.
 */
const informationPerRow = 40;

/** The total that a detail belongs to. */
interface Total {
  readonly movement: Movement;
  readonly name: string;
  readonly texts: ReadonlySet<string>;
  /** The rows that are repeated above a detail that begins a page. */
  readonly headings: readonly Row[];
}

/** Returns the rows of a movement and its details. */
export function* movementRows(
  movement: Movement,
  columns: readonly Column[],
  texts: PrintedTexts,
  sheet: PdfSheet,
  total?: Total,
): Generator<Row, void> {
  const headings = total?.headings ?? [];
  const isDetail = total !== undefined;
  const plain = isDetail ? textStyles.quiet : textStyles.body;
  const indentAt = (level: number) => Math.min(level, 4) * indentOfDetail;
  const width =
    textWidth(columns[3]) + (isDetail ? 0 : (columns.at(-2)?.width ?? 0) * extra(columns));
  const wrap = (styled: readonly StyledText[], level = headings.length): CellLine[] =>
    styled
      .flatMap(([text, style]) => wrapCell(text, width, style, sheet, indentAt(level)))
      // A separator at the end of a line separates nothing.
      .map((line) => ({ ...line, text: line.text.replace(/\u00A0·$/, '') }));
  const cell = (text: string, style: TextStyle): CellLine[] => [{ text, style, indent: 0 }];
  const date = (of: 'entryDate' | 'valueDate') => {
    const value = movement[of];
    const isKnown = value === undefined || value === total?.movement[of];
    return cell(isKnown ? '' : formatDate(value), plain);
  };
  const amount = formatAmount(movement.amount, 'always');
  const { information, details } = movement;
  const name = movementName(movement, texts);
  const nameStyle = isDetail ? plain : textStyles.strong;
  const first = joinInformation(information.slice(0, informationPerRow));
  const seen = new Set(total?.texts);
  const described = describeMovement(movement, first, texts, plain, seen);
  const hasOwnName = name !== total?.name || described.every(([text]) => text === '');
  const styled = hasOwnName ? [[name, nameStyle] as const, ...described] : described;
  const row = (cells: Row['cells'], rule: Row['rule'], keepWithNext: boolean): Row => ({
    cells,
    rule,
    keepWithNext,
    headings,
  });
  yield row(
    [
      cell(isDetail ? '' : `${movement.sequence}`, plain),
      date('entryDate'),
      date('valueDate'),
      wrap(isDetail ? [[joined(styled), plain]] : styled),
      ...(extra(columns) ? [cell(isDetail ? amount : '', plain)] : []),
      cell(isDetail ? '' : amount, textStyles.strong),
    ],
    isDetail ? 'none' : 'thin',
    details.length > 0 && information.length <= informationPerRow,
  );
  const heading: Row = {
    cells: [
      cell(isDetail ? '' : `${movement.sequence}`, plain),
      [],
      [],
      wrap([[`${name} (${texts.continued})`, nameStyle]]),
    ],
    rule: 'none',
    keepWithNext: true,
    headings: [],
  };
  const below = [...headings, heading];
  for (let from = informationPerRow; from < information.length; from += informationPerRow) {
    const further = joinInformation(information.slice(from, from + informationPerRow));
    const lines = informationLines(further, texts);
    const quiet = lines.map((text): StyledText => [text, textStyles.quiet]);
    yield { ...row([[], [], [], wrap(quiet)], 'none', false), headings: below };
  }
  const shared = textsOfAllDetails(seen, details, texts);
  for (const detail of details) {
    yield* movementRows(detail, columns, texts, sheet, {
      movement,
      name,
      texts: shared,
      headings: below,
    });
  }
  const difference = detailDifference(movement);
  if (difference !== 0n) {
    const text = wrap([[texts.difference, textStyles.quiet]], below.length);
    const lacking = cell(formatAmount(difference, 'always'), textStyles.quiet);
    yield { ...row([[], [], [], text, lacking, []], 'none', false), headings: below };
  }
}

/** Returns the texts of a detail as one paragraph, because a total may have many details. */
function joined(styled: readonly StyledText[]): string {
  return styled
    .map(([text]) => text)
    .filter((text) => text !== '')
    .join(separator);
}

/** Returns 1 if there is a column of details, else 0. */
function extra(columns: readonly Column[]): number {
  return columns.length > 5 ? 1 : 0;
}
