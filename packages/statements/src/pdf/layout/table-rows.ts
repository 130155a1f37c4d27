import type { TextStyle } from './pdf-sheet.js';

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** Points. */
  readonly width: number;
  readonly align: 'left' | 'right';
}

/** One line of a cell, which fits its column. */
export interface CellLine {
  readonly text: string;
  readonly style: TextStyle;
  /** Points from the edge of the column. */
  readonly indent: number;
}

/** One row: the lines of each of its cells. */
export interface Row {
  readonly cells: readonly (readonly CellLine[])[];
  /** The line above the row. */
  readonly rule: 'none' | 'thin' | 'thick';
  /** Keeps the row on the page of the next one. */
  readonly keepWithNext: boolean;
  /** The rows that are repeated above it if it begins a page. */
  readonly headings: readonly Row[];
}

/**
 * The space above and below the lines of a row, in points. Rows without a line between them are
 * close.
 */
export function rowPadding({ rule }: Row): number {
  return rule === 'none' ? 1.5 : 3;
}

export function rowHeight(row: Row): number {
  return 2 * rowPadding(row) + Math.max(0, ...row.cells.map(linesHeight));
}

function linesHeight(lines: readonly CellLine[]): number {
  return lines.reduce((height, { style }) => height + style.leading, 0);
}

/**
 * Splits a row that does not fit: into the lines that fit the height, and the lines for the next
 * page.
 */
export function splitRow(row: Row, height: number): readonly [Row, Row] {
  const available = height - 2 * rowPadding(row);
  const counts = row.cells.map((lines) => {
    let used = 0;
    const beyond = lines.findIndex(({ style }) => {
      used += style.leading;
      return used > available;
    });
    return beyond < 0 ? lines.length : beyond;
  });
  const part = (from: (index: number) => number, to: (index: number) => number) =>
    row.cells.map((lines, index) => lines.slice(from(index), to(index)));
  const start = (): number => 0;
  const cut = (index: number): number => counts[index] ?? 0;
  const end = (): number => Number.POSITIVE_INFINITY;
  return [
    { ...row, cells: part(start, cut), keepWithNext: false },
    { ...row, cells: part(cut, end), rule: 'none' },
  ];
}

/** The least height in points that the first part of a split row gets at the foot of a page. */
const leastPart = 80;

/**
 * Distributes rows over pages. A row moves to the next page as a whole; only one that is higher
 * than half a page is split.
 *
 * @param firstHeight the height for rows on the first page, in points
 * @param height the height for rows on each further page
 * @returns the rows of each page, of at least one page
 */
export function* paginateRows(
  rows: Iterable<Row>,
  firstHeight: number,
  height: number,
): Generator<readonly Row[], void> {
  let current: Row[] = [];
  let left = firstHeight;
  /** The page has at most repeated headings. */
  let isNew = true;
  for (const block of blocksOf(rows)) {
    let behind = sumOf(block.map(rowHeight));
    for (const row of block) {
      behind -= rowHeight(row);
      let rest = row;
      for (;;) {
        const needed = rowHeight(rest);
        const together = needed + behind;
        if (needed <= left && (together <= left || together > height || isNew)) {
          current.push(rest);
          left -= needed;
          isNew = false;
          break;
        }
        if (needed > height / 2 && left >= leastPart && needed > left) {
          const [part, remainder] = splitRow(rest, left);
          current.push(part);
          rest = remainder;
        }
        yield current;
        current = headingsAbove(rest, height);
        left = height - sumOf(current.map(rowHeight));
        isNew = true;
      }
    }
  }
  yield current;
}

/**
 * Returns the headings above a row that begins a page, unless they leave too little room for it.
 */
function headingsAbove(row: Row, height: number): Row[] {
  const room = height - sumOf(row.headings.map(rowHeight));
  const needed = rowHeight(row);
  const isSplit = needed > height / 2 && room >= leastPart;
  return needed <= room || isSplit ? [...row.headings] : [];
}

/** Groups each row with the rows after it that must stay on its page. */
function* blocksOf(rows: Iterable<Row>): Generator<readonly Row[], void> {
  let block: Row[] = [];
  for (const row of rows) {
    block.push(row);
    if (row.keepWithNext) continue;
    yield block;
    block = [];
  }
  if (block.length > 0) yield block;
}

function sumOf(heights: readonly number[]): number {
  return heights.reduce((sum, height) => sum + height, 0);
}
