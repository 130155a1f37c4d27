import type { PdfSheet, TextStyle } from './pdf-sheet.js';
import type { CellLine } from './table-rows.js';

/** Wraps a text into lines of at most this width in points, between words if possible. */
export function wrapText(
  text: string,
  width: number,
  style: TextStyle,
  sheet: Pick<PdfSheet, 'widthOf'>,
): string[] {
  const space = sheet.widthOf(' ', style);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of printableText(text).split(' ')) {
    const parts = sheet.widthOf(word, style) <= width ? [word] : cutWord(word, width, style, sheet);
    for (const [index, part] of parts.entries()) {
      const partWidth = sheet.widthOf(part, style);
      if (line !== '' && (index > 0 || used + space + partWidth > width)) {
        lines.push(line);
        line = '';
      }
      used = line === '' ? partWidth : used + space + partWidth;
      line = line === '' ? part : `${line} ${part}`;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** Wraps a text into the lines of a cell. @param indent points */
export function wrapCell(
  text: string,
  width: number,
  style: TextStyle,
  sheet: Pick<PdfSheet, 'widthOf'>,
  indent = 0,
): CellLine[] {
  return wrapText(text, width - indent, style, sheet).map((line) => ({
    text: line,
    style,
    indent,
  }));
}

/** Cuts a word that is wider than a line. */
function cutWord(
  word: string,
  width: number,
  style: TextStyle,
  sheet: Pick<PdfSheet, 'widthOf'>,
): string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const character of word) {
    const characterWidth = sheet.widthOf(character, style);
    if (part !== '' && used + characterWidth > width) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += character;
    used += characterWidth;
  }
  return [...parts, part];
}

/**
 * Makes a text printable on one line: white space, line ends and control characters, which a font
 * draws as boxes, become blanks, except for the no-break space; lone surrogates become the
 * replacement character.
 */
export function printableText(text: string): string {
  return text
    .replace(/(?:(?!\u00A0)[\p{Cc}\s])+/gu, ' ')
    .replace(/\p{Cs}/gu, '\uFFFD')
    .trim();
}
