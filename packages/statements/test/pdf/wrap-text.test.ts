import { describe, expect, test } from 'vitest';
import { textStyles } from '../../src/pdf/layout/pdf-sheet.js';
import { type Row, rowHeight, splitRow } from '../../src/pdf/layout/table-rows.js';
import { wrapText } from '../../src/pdf/layout/wrap-text.js';

/** A font in which each character is one point wide, and a W two. */
const sheet = { widthOf: (text: string): number => text.length + (text.match(/W/g)?.length ?? 0) };
const wrap = (text: string, width: number): string[] =>
  wrapText(text, width, textStyles.body, sheet);

describe('PDF: lines of text', () => {
  test.each<[string, number, string[]]>([
    ['', 5, []],
    ['   ', 5, []],
    ['one', 5, ['one']],
    ['one two', 7, ['one two']],
    ['one two', 6, ['one', 'two']],
    ['one two three four', 9, ['one two', 'three', 'four']],
    ['one two three four', 10, ['one two', 'three four']],
    ['a b c d', 3, ['a b', 'c d']],
    ['  one\ntwo  ', 7, ['one two']],
    // A word that is wider than a line starts on a new line, and the text continues after it.
    ['abcdefgh', 3, ['abc', 'def', 'gh']],
    ['abcdef', 3, ['abc', 'def']],
    ['x abcdefgh y', 3, ['x', 'abc', 'def', 'gh', 'y']],
    ['x abcdefgh y', 4, ['x', 'abcd', 'efgh', 'y']],
    ['abcde f', 4, ['abcd', 'e f']],
    ['WW', 3, ['W', 'W']],
    ['aWbW', 3, ['aW', 'bW']],
    // No character fits, so each has its own line.
    ['WW a', 1, ['W', 'W', 'a']],
    ['🙂🙂', 2, ['🙂', '🙂']],
  ])('%j in %i points: %j', (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });
});

const style = { ...textStyles.body, leading: 10.5 };

/** Returns a row whose cells have these numbers of lines of 10.5 points. */
const row = (...counts: number[]): Row => ({
  cells: counts.map((count, cell) =>
    Array.from({ length: count }, (_, line) => ({
      text: `${cell}.${line}`,
      style,
      indent: 0,
    })),
  ),
  rule: 'thin',
  keepWithNext: true,
  headings: [],
});
const textsOf = ({ cells }: Row): string[][] => cells.map((lines) => lines.map(({ text }) => text));

describe('PDF: rows', () => {
  test.each([
    [row(), 6],
    [row(0, 0), 6],
    [row(1), 16.5],
    [row(1, 3, 2), 37.5],
  ])('the height is that of the highest cell, and 3 points above and below', (given, height) => {
    expect(rowHeight(given)).toBe(height);
  });

  test.each([
    [16.5, [['0.0'], ['1.0'], []], [[], ['1.1', '1.2'], []]],
    [27, [['0.0'], ['1.0', '1.1'], []], [[], ['1.2'], []]],
    [26.9, [['0.0'], ['1.0'], []], [[], ['1.1', '1.2'], []]],
    [37.5, [['0.0'], ['1.0', '1.1', '1.2'], []], [[], [], []]],
    [16.4, [[], [], []], [['0.0'], ['1.0', '1.1', '1.2'], []]],
  ])('cut at %f points, each cell is', (height, first, rest) => {
    const [part, remainder] = splitRow(row(1, 3, 0), height);
    expect(textsOf(part)).toEqual(first);
    expect(textsOf(remainder)).toEqual(rest);
    expect(part).toMatchObject({ rule: 'thin', keepWithNext: false });
    expect(remainder).toMatchObject({ rule: 'none', keepWithNext: true });
  });
});
