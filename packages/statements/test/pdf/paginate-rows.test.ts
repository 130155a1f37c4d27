import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../test/support/rounds.js';
import { type PdfSheet, textStyles } from '../../src/pdf/layout/pdf-sheet.js';
import { paginateRows, type Row, rowHeight } from '../../src/pdf/layout/table-rows.js';
import { movementColumns, movementRows } from '../../src/pdf/movement-rows.js';
import { englishTexts } from '../../src/texts/printed-texts-en.js';
import { code, day, free, sampleStatement } from './sample-statement.js';

const row = fc
  .tuple(fc.integer({ min: 0, max: 200 }), fc.boolean(), fc.nat())
  .map(([lines, keepWithNext, id]): Row => {
    const cell = Array.from({ length: lines }, (_, index) => ({
      text: `${id}.${index}`,
      style: textStyles.body,
      indent: 0,
    }));
    return { cells: [cell.slice(0, 1), cell], rule: 'thin', keepWithNext, headings: [] };
  });

/** Returns a row of lines of 10 points. The row adds 6 points. */
const rowOf = (lines: number, keepWithNext = false): Row => ({
  cells: [
    Array.from({ length: lines }, (_, index) => ({
      text: `${index}`,
      style: textStyles.columnTitle,
      indent: 0,
    })),
  ],
  rule: 'thin',
  keepWithNext,
  headings: [],
});
/** Returns the number of lines of each row, by page. */
const shape = (pages: readonly (readonly Row[])[]): number[][] =>
  pages.map((page) => page.map(({ cells }) => cells[0]?.length ?? 0));

const linesOf = (rows: readonly Row[]): string[] =>
  rows.flatMap(({ cells }) => (cells[1] ?? []).map(({ text }) => text));

test('PDF: a movement with more information than one row has does not keep its first row with its details', async () => {
  const information = Array.from({ length: 41 }, () => ({ communication: free('x') }));
  const [total = expect.fail()] = (
    await sampleStatement({
      movements: [
        {
          ...{ ...day, amount: 1_000n, transactionCode: code(3, '04', '50'), information },
          details: [{ ...day, amount: 1_000n, transactionCode: code(8, '04', '50') }],
        },
      ],
    })
  ).movements;
  const sheet = { widthOf: (text: string) => text.length } as unknown as PdfSheet;
  const rows = [...movementRows(total, movementColumns(englishTexts, true), englishTexts, sheet)];
  expect(rows.map(({ keepWithNext }) => keepWithNext)).toEqual([false, false, false]);
});

describe('PDF: pages', () => {
  test('every line is printed once, in order, on a page with room for it', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
        const pages = [...paginateRows(rows, 300, 700)];
        expect(pages.flatMap(linesOf)).toEqual(linesOf(rows));
        for (const [index, page] of pages.entries()) {
          const height = page.reduce((sum, each) => sum + rowHeight(each), 0);
          expect(height).toBeLessThanOrEqual(index === 0 ? 300 : 700);
          if (index > 0) expect(page.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: rounds({ short: 60, all: 300 }) },
    );
  });

  test('a row below half a page is never split', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
        const small = rows.filter((each) => rowHeight(each) <= 300);
        expect([...paginateRows(small, 700, 700)].flat()).toEqual(small);
      }),
      { numRuns: rounds({ short: 20, all: 100 }) },
    );
  });

  test.each<[string, Row[], number, number, number[][]]>([
    ['rows that fill a page to the point', [rowOf(4), rowOf(4)], 92, 200, [[4, 4]]],
    ['a row that lacks one point', [rowOf(4), rowOf(4)], 91, 200, [[4], [4]]],
    ['no rows: one page', [], 92, 200, [[]]],
    ['a row stays with the next one', [rowOf(1), rowOf(1, true), rowOf(1)], 47, 48, [[1], [1, 1]]],
    ['both fit to the point', [rowOf(1), rowOf(1, true), rowOf(1)], 48, 48, [[1, 1, 1]]],
    [
      'together they fill a page exactly',
      [rowOf(1), rowOf(1, true), rowOf(1)],
      47,
      32,
      [[1], [1, 1]],
    ],
    [
      'together they are higher than any page',
      [rowOf(1), rowOf(1, true), rowOf(1)],
      47,
      31,
      [[1, 1], [1]],
    ],
    [
      'three rows that stay together',
      [rowOf(1), rowOf(1, true), rowOf(1, true), rowOf(1)],
      63,
      64,
      [[1], [1, 1, 1]],
    ],
    ['the last row has nothing to go with', [rowOf(1, true)], 16, 16, [[1]]],
    ['half a page is not cut', [rowOf(1), rowOf(9)], 100, 192, [[1], [9]]],
    ['more than half a page is cut', [rowOf(1), rowOf(9)], 100, 191, [[1, 7], [2]]],
    ['80 points are enough to begin', [rowOf(2), rowOf(10)], 106, 120, [[2, 7], [3]]],
    ['less are not', [rowOf(2), rowOf(10)], 105, 120, [[2], [10]]],
    ['a row of several pages', [rowOf(30)], 100, 120, [[9], [11], [10]]],
  ])('%s', (_, rows, firstHeight, height, expected) => {
    expect(shape([...paginateRows(rows, firstHeight, height)])).toEqual(expected);
  });

  test('D-46 a row that begins a page has its headings above it', () => {
    const heading = rowOf(2);
    const detail: Row = { ...rowOf(1), headings: [heading] };
    const rows = [rowOf(2, true), detail, detail, detail, rowOf(1)];
    expect(shape([...paginateRows(rows, 60, 60)])).toEqual([
      [2, 1, 1],
      [2, 1, 1],
    ]);
  });

  test('D-46 headings that leave no room for their row are left out', () => {
    const kept: Row = { ...rowOf(2, true), headings: [rowOf(2)] };
    const last: Row = { ...rowOf(1), headings: [rowOf(2)] };
    expect(shape([...paginateRows([rowOf(1), kept, last], 42, 42)])).toEqual([[1], [2, 1]]);
    expect(shape([...paginateRows([rowOf(1), kept, last], 42, 67)])).toEqual([[1], [2, 2], [2, 1]]);
  });

  test('D-46 a row that is longer than a page has its headings on each page', () => {
    const long: Row = { ...rowOf(30), headings: [rowOf(1)] };
    expect(shape([...paginateRows([rowOf(5), long], 60, 120)])).toEqual([
      [5],
      [1, 9],
      // Without a line above it, a row has half as much padding.
      [1, 10],
      [1, 10],
      [1, 1],
    ]);
  });

  test('a page is complete before the rows of the next ones are produced', () => {
    let produced = 0;
    function* rows(): Generator<Row> {
      for (; produced < 1000; produced += 1) yield rowOf(1);
    }
    const pages = paginateRows(rows(), 160, 160);
    for (const page of [1, 2, 3]) {
      expect(pages.next().value).toHaveLength(10);
      expect(produced).toBe(10 * page);
    }
  });
});
