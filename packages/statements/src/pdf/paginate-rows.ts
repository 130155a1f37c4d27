import { type Row, rowHeight, splitRow } from './table-row.js';

/** Below this height in points, a row is not begun at the foot of a page if it does not fit. */
const leastPart = 80;

/**
 * Puts rows on pages. A row goes to the next page as a whole; only one that is higher than half a
 * page is cut.
 *
 * @param firstHeight what the first page has for rows, in points
 * @param height what each page behind it has
 * @returns the rows of each page, at least one page
 */
export function paginateRows(
  rows: readonly Row[],
  firstHeight: number,
  height: number,
): readonly (readonly Row[])[] {
  const pages: Row[][] = [[]];
  let left = firstHeight;
  const turnPage = (): void => {
    pages.push([]);
    left = height;
  };
  for (const [index, row] of rows.entries()) {
    let rest = row;
    for (;;) {
      const needed = rowHeight(rest);
      const together = needed + heightBehind(rows, index);
      if (needed <= left && (together <= left || together > height)) {
        pages.at(-1)?.push(rest);
        left -= needed;
        break;
      }
      if (needed > height / 2 && left >= leastPart && needed > left) {
        const [part, remainder] = splitRow(rest, left);
        pages.at(-1)?.push(part);
        rest = remainder;
      }
      turnPage();
    }
  }
  return pages;
}

/** Returns the height of the rows that must stay on the page of this one, without its own. */
function heightBehind(rows: readonly Row[], index: number): number {
  const next = rows[index + 1];
  if (!rows[index]?.keepWithNext || !next) return 0;
  return rowHeight(next) + heightBehind(rows, index + 1);
}
