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
