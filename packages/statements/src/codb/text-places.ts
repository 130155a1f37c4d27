/** A place in a text, both from 1. Columns count characters (UTF-16 code units). */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Tells line and column of offsets. Offsets that rise are found without going back. */
export class TextPlaces {
  readonly #text: string;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  at(offset: number): TextPlace {
    if (offset < this.#lineStart) {
      this.#line = 1;
      this.#lineStart = 0;
    }
    for (;;) {
      const lineEnd = this.#text.indexOf('\n', this.#lineStart);
      if (lineEnd < 0 || lineEnd >= offset) break;
      this.#line += 1;
      this.#lineStart = lineEnd + 1;
    }
    return { line: this.#line, column: offset - this.#lineStart + 1 };
  }
}
