/** A place in a text, both from 1. Columns count UTF-16 code units. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Tells line and column of offsets in one pass over the text, however many there are.
 *
 * @param offsets in rising order
 */
export function placesOf(text: string, offsets: readonly number[]): TextPlace[] {
  let line = 1;
  let lineStart = 0;
  return offsets.map((offset) => {
    for (;;) {
      const lineEnd = text.indexOf('\n', lineStart);
      if (lineEnd < 0 || lineEnd >= offset) break;
      line += 1;
      lineStart = lineEnd + 1;
    }
    return { line, column: offset - lineStart + 1 };
  });
}
