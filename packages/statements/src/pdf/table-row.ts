import type { TextStyle } from './text-style.js';

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
  /** What parts it from the row above. */
  readonly rule: 'none' | 'thin' | 'thick';
  /** Does not stand at the foot of a page without the row behind it. */
  readonly keepWithNext: boolean;
}

/** Above and below the lines of a row, in points. */
export const rowPadding = 3;

export function rowHeight({ cells }: Row): number {
  return 2 * rowPadding + Math.max(0, ...cells.map(linesHeight));
}

function linesHeight(lines: readonly CellLine[]): number {
  return lines.reduce((height, { style }) => height + style.leading, 0);
}

/**
 * Cuts a row in two where it does not fit: what stands in the height, and what is left for the next
 * page.
 */
export function splitRow(row: Row, height: number): readonly [Row, Row] {
  const available = height - 2 * rowPadding;
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
