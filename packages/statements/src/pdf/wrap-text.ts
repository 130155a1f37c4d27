import type { PdfSheet, TextStyle } from './pdf-sheet.js';

/** Breaks a text into lines of at most this width in points, between words where that is possible. */
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

/** A word that is wider than a line is cut where it has to be. */
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
 * A text as it can be put on one line: control characters, which a font draws as boxes, line ends
 * and white space become blanks, but a no-break space stays; halves of surrogate pairs become the
 * replacement character.
 */
export function printableText(text: string): string {
  return text
    .replace(/(?:(?!\u00A0)[\p{Cc}\s])+/gu, ' ')
    .replace(/\p{Cs}/gu, '\uFFFD')
    .trim();
}
