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
  /** The line, with one UTF-16 unit per character. */
  readonly line: string;
  /** The characters, if one of them has two UTF-16 units. */
  readonly #characters: readonly string[] | undefined;

  constructor(number: number, line: string) {
    this.number = number;
    if (SURROGATE.test(line)) {
      this.#characters = Array.from(line);
      this.line = this.#characters.map((one) => (one.length === 1 ? one : '\uFFFD')).join('');
    } else {
      this.#characters = undefined;
      this.line = line;
    }
  }

  /** The length in characters. */
  get length(): number {
    return this.line.length;
  }

  /** The text of a field, without trailing blanks. */
  text(from: number, to: number): string {
    const { line } = this;
    let end = Math.min(to, line.length);
    while (end >= from && line.charCodeAt(end - 1) === BLANK) end -= 1;
    if (end < from) return '';
    return this.#characters === undefined
      ? line.slice(from - 1, end)
      : this.#characters.slice(from - 1, end).join('');
  }

  /** The text of a field, padded with blanks. */
  padded(from: number, to: number): string {
    const text = this.#characters?.slice(from - 1, to) ?? this.line.slice(from - 1, to);
    const missing = to - from + 1 - text.length;
    const joined = typeof text === 'string' ? text : text.join('');
    return missing > 0 ? joined + ' '.repeat(missing) : joined;
  }

  /** The number in a field, or -1 if it has anything but digits. */
  digits(from: number, to: number): number {
    const { line } = this;
    let value = 0;
    for (let index = from - 1; index < to; index += 1) {
      const digit = line.charCodeAt(index) - ZERO;
      if (!(digit >= 0 && digit <= 9)) return -1;
      value = value * 10 + digit;
    }
    return value;
  }

  /** The first non-blank position of a field, or 0. */
  notBlank(from: number, to: number): number {
    const { line } = this;
    const end = Math.min(to, line.length);
    for (let position = from; position <= end; position += 1) {
      if (line.charCodeAt(position - 1) !== BLANK) return position;
    }
    return 0;
  }

  /** True if both records have the same characters in a field. */
  hasSame(other: CodaRecord, from: number, to: number): boolean {
    for (let index = from - 1; index < to; index += 1) {
      if (this.line.charCodeAt(index) !== other.line.charCodeAt(index)) return false;
    }
    return true;
  }
}
