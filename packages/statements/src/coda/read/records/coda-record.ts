import { bytesOfLatin1 } from '../../../bytes.js';

const BLANK = 0x20;
const ZERO = 0x30;
/** Stands for a character of two UTF-16 units; no decoded text has this half of one. */
const HALF = '\uD800';

/** A text in which each character, also one of two UTF-16 units, takes one place. */
export interface Characters {
  readonly text: string;
  /** An ASCII character as its byte, any other as one from 80 on. */
  readonly bytes: Uint8Array;
  /** The characters of two UTF-16 units, by their offsets. */
  readonly wide: ReadonlyMap<number, string>;
}

const noWide: ReadonlyMap<number, string> = new Map();

/** @param bytes those from which the text was decoded, one for each character */
export function charactersOfBytes(text: string, bytes: Uint8Array): Characters {
  return { text, bytes, wide: noWide };
}

/** The characters of any text. */
export function charactersOf(text: string): Characters {
  const wide = new Map<number, string>();
  const narrow = text.replace(/[\u{10000}-\u{10FFFF}]/gu, (character, offset: number) => {
    wide.set(offset - wide.size, character);
    return HALF;
  });
  const bytes = bytesOfLatin1(narrow.replace(/[\u0100-\uFFFF]/g, '\xFF'));
  return { text: narrow, bytes, wide };
}

/**
 * One line of a CODA file. As in the standard, positions count characters from 1 and ranges include
 * both ends. Numbers and blanks are read from the bytes, which is twice as fast as from the text.
 */
export class CodaRecord {
  /** The line number in the file, from 1. */
  readonly number: number;
  /** The length in characters. */
  readonly length: number;
  readonly #text: string;
  readonly #bytes: Uint8Array;
  readonly #wide: ReadonlyMap<number, string>;
  /** The offset of the line in the text. */
  readonly #start: number;

  /** @param characters contain the line, from `start` to `end` */
  constructor(number: number, characters: Characters, start = 0, end = characters.text.length) {
    this.number = number;
    this.length = end - start;
    this.#text = characters.text;
    this.#bytes = characters.bytes;
    this.#wide = characters.wide;
    this.#start = start;
  }

  /** The byte of the character at a position, NaN beyond the end. */
  byteAt(position: number): number {
    return position > this.length
      ? Number.NaN
      : (this.#bytes[this.#start + position - 1] ?? Number.NaN);
  }

  /** The text of a field, without trailing blanks. */
  text(from: number, to: number): string {
    const bytes = this.#bytes;
    const first = this.#start + from - 1;
    let end = this.#start + Math.min(to, this.length);
    while (end > first && bytes[end - 1] === BLANK) end -= 1;
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
    const characters = { text: this.#text, bytes: this.#bytes, wide: this.#wide };
    const end = this.#start + Math.min(to, this.length);
    return new CodaRecord(this.number, characters, this.#start + from - 1, end);
  }

  /** The number in a field, or -1 if it has anything but digits. */
  digits(from: number, to: number): number {
    if (to > this.length) return -1;
    const bytes = this.#bytes;
    const end = this.#start + to;
    let value = 0;
    for (let index = this.#start + from - 1; index < end; index += 1) {
      const digit = (bytes[index] ?? 0) - ZERO;
      if (digit < 0 || digit > 9) return -1;
      value = value * 10 + digit;
    }
    return value;
  }

  /** The first non-blank position of a field, or 0. */
  notBlank(from: number, to: number): number {
    const bytes = this.#bytes;
    const end = this.#start + Math.min(to, this.length);
    for (let index = this.#start + from - 1; index < end; index += 1) {
      if (bytes[index] !== BLANK) return index - this.#start + 1;
    }
    return 0;
  }

  #slice(first: number, end: number): string {
    const text = this.#text.slice(first, end);
    if (this.#wide.size === 0) return text;
    return text.replaceAll(HALF, (_, offset: number) => this.#wide.get(first + offset) ?? '');
  }
}
