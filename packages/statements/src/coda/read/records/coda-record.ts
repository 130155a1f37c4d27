const BLANK = 0x20;
const ZERO = 0x30;
/** Half of a character of two UTF-16 units. */
const SURROGATE = /[\uD800-\uDFFF]/;

/**
 * One line of a CODA file. As in the standard, positions count characters from 1 and ranges include
 * both ends.
 */
export class CodaRecord {
  /** The line number in the file, from 1. */
  readonly number: number;
  /** The length in characters. */
  readonly length: number;
  /** A text that contains the line, with one UTF-16 unit per character. */
  readonly #text: string;
  /** The offset of the line in the text. */
  readonly #start: number;
  /** The characters, if one of them has two UTF-16 units. */
  readonly #characters: readonly string[] | undefined;

  /**
   * @param text contains the line, from `start` to `end`
   * @param hasSurrogates false if the text has no characters of two UTF-16 units
   */
  constructor(
    number: number,
    text: string,
    start = 0,
    end = text.length,
    hasSurrogates = SURROGATE.test(text),
  ) {
    this.number = number;
    if (hasSurrogates) {
      this.#characters = Array.from(text.slice(start, end));
      this.#text = this.#characters.map((one) => (one.length === 1 ? one : '\uFFFD')).join('');
      this.#start = 0;
      this.length = this.#text.length;
    } else {
      this.#characters = undefined;
      this.#text = text;
      this.#start = start;
      this.length = end - start;
    }
  }

  /** The UTF-16 unit at a position, NaN beyond the end. */
  unitAt(position: number): number {
    return position > this.length ? Number.NaN : this.#text.charCodeAt(this.#start + position - 1);
  }

  /** The text of a field, without trailing blanks. */
  text(from: number, to: number): string {
    const text = this.#text;
    const first = this.#start + from - 1;
    let end = this.#start + Math.min(to, this.length);
    while (end > first && text.charCodeAt(end - 1) === BLANK) end -= 1;
    return end <= first ? '' : this.#slice(first, end);
  }

  /** The text of a field, padded with blanks. */
  padded(from: number, to: number): string {
    const first = this.#start + from - 1;
    const end = this.#start + Math.min(to, this.length);
    const missing = to - Math.max(this.length, from - 1);
    const text = end <= first ? '' : this.#slice(first, end);
    return missing > 0 ? text + ' '.repeat(missing) : text;
  }

  /** A field as a record of its own. */
  part(from: number, to: number): CodaRecord {
    if (this.#characters !== undefined) return new CodaRecord(this.number, this.padded(from, to));
    const end = this.#start + Math.min(to, this.length);
    return new CodaRecord(this.number, this.#text, this.#start + from - 1, end, false);
  }

  /** The number in a field, or -1 if it has anything but digits. */
  digits(from: number, to: number): number {
    if (to > this.length) return -1;
    const text = this.#text;
    const end = this.#start + to;
    let value = 0;
    for (let index = this.#start + from - 1; index < end; index += 1) {
      const digit = text.charCodeAt(index) - ZERO;
      if (digit < 0 || digit > 9) return -1;
      value = value * 10 + digit;
    }
    return value;
  }

  /** The first non-blank position of a field, or 0. */
  notBlank(from: number, to: number): number {
    const text = this.#text;
    const last = Math.min(to, this.length);
    for (let position = from; position <= last; position += 1) {
      if (text.charCodeAt(this.#start + position - 1) !== BLANK) return position;
    }
    return 0;
  }

  /** True if both records have the same characters in a field. */
  hasSame(other: CodaRecord, from: number, to: number): boolean {
    for (let position = from; position <= to; position += 1) {
      if (this.unitAt(position) !== other.unitAt(position)) return false;
    }
    return true;
  }

  #slice(first: number, end: number): string {
    return this.#characters?.slice(first, end).join('') ?? this.#text.slice(first, end);
  }
}
