import { digitsOfDate } from '../format/calendar-date.js';

const LENGTH = 128;

/** One record under construction: 128 blanks, into which fields are put at 1-based positions. */
export class RecordLine {
  readonly #characters: string[] = new Array<string>(LENGTH).fill(' ');

  /** @param type the first one or two characters */
  constructor(type: string) {
    this.#put(1, Array.from(type));
  }

  /** Puts left-aligned text. */
  text(name: string, from: number, to: number, value: string): this {
    const characters = Array.from(value);
    if (characters.length > to - from + 1) {
      throw new CodaWriteError(`${name} has more than ${to - from + 1} characters: ${value}`);
    }
    if (hasControls(value)) throw new CodaWriteError(`${name} has a control character`);
    this.#put(from, characters);
    return this;
  }

  /** Puts a number, zero-padded. */
  digits(name: string, from: number, to: number, value: number | bigint): this {
    const length = to - from + 1;
    const digits = value.toString().padStart(length, '0');
    if (!/^\d+$/.test(digits) || digits.length > length) {
      throw new CodaWriteError(`${name} does not fit into ${length} digits: ${value}`);
    }
    this.#put(from, Array.from(digits));
    return this;
  }

  /** Puts a sign, then 15 digits of thousandths. */
  amount(name: string, signAt: number, thousandths: bigint): this {
    const debit = thousandths < 0n;
    this.#put(signAt, [debit ? '1' : '0']);
    return this.digits(name, signAt + 1, signAt + 15, debit ? -thousandths : thousandths);
  }

  /** Puts a date as DDMMYY, zeros for none. */
  date(name: string, from: number, date: string | undefined): this {
    const digits = date === undefined ? '000000' : digitsOfDate(date);
    if (digits === undefined)
      throw new CodaWriteError(`${name} is not a date from 2000 to 2099: ${date}`);
    this.#put(from, Array.from(digits));
    return this;
  }

  /** The 128 characters. */
  toString(): string {
    return this.#characters.join('');
  }

  #put(from: number, characters: readonly string[]): void {
    for (const [index, character] of characters.entries()) {
      this.#characters[from - 1 + index] = character;
    }
  }
}

/** Control characters such as line ends would break the record. */
function hasControls(text: string): boolean {
  return Array.from(text).some((character) => character < ' ');
}

/** Data that do not fit the CODA format; the message names the field and the reason. */
export class CodaWriteError extends Error {
  override readonly name = 'CodaWriteError';
}
