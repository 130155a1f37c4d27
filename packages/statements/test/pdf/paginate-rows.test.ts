import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paginateRows } from '../../src/pdf/paginate-rows.js';
import { type Row, rowHeight } from '../../src/pdf/table-row.js';
import { textStyles } from '../../src/pdf/text-style.js';

const row = fc
  .tuple(fc.integer({ min: 0, max: 200 }), fc.boolean(), fc.nat())
  .map(([lines, keepWithNext, id]): Row => {
    const cell = Array.from({ length: lines }, (_, index) => ({
      text: `${id}.${index}`,
      style: textStyles.body,
      indent: 0,
    }));
    return { cells: [cell.slice(0, 1), cell], rule: 'thin', keepWithNext };
  });

const linesOf = (rows: readonly Row[]): string[] =>
  rows.flatMap(({ cells }) => (cells[1] ?? []).map(({ text }) => text));

describe('PDF: pages', () => {
  test('every line stands once, in order, on a page that has room for it', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
        const pages = paginateRows(rows, 300, 700);
        expect(pages.flatMap(linesOf)).toEqual(linesOf(rows));
        for (const [index, page] of pages.entries()) {
          const height = page.reduce((sum, each) => sum + rowHeight(each), 0);
          expect(height).toBeLessThanOrEqual(index === 0 ? 300 : 700);
          if (index > 0) expect(page.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a row below half a page is never cut', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
        const small = rows.filter((each) => rowHeight(each) <= 300);
        expect(paginateRows(small, 700, 700).flat()).toEqual(small);
      }),
      { numRuns: 100 },
    );
  });
});
