import { isAscii, isUtf8, latin1Of, utf8Of } from '../../bytes.js';
import { type CodePage, decodeCodePage, type Encoding } from '../../code-pages.js';
import { type Characters, charactersOf, charactersOfBytes } from './records/coda-record.js';

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const NOT_ASCII = /[\x80-\xff]/g;
const LENGTH = 128;

/** The text of a statement, decoded as a whole, which is much faster than line by line. */
export interface StatementText {
  readonly encoding: Encoding;
  readonly characters: Characters;
  /** The offset of each line's end in the characters, before its line feed. */
  readonly lineEnds: readonly number[];
}

/**
 * Detects the encoding of one statement and decodes it: UTF-8 if all of it is valid UTF-8 and its
 * lines have 128 characters; else cp850 by its typical bytes, ISO-8859-15 by the bytes in which it
 * differs from windows-1252, else windows-1252. The structure of a statement is ASCII in all of
 * them.
 *
 * @param lineEnds the offset of each line's end in the bytes, before its line feed
 * @param isCut line ends are missing in it
 */
export function decodeStatement(
  bytes: Uint8Array,
  lineEnds: readonly number[],
  isCut = false,
): StatementText {
  if (isAscii(bytes)) {
    return {
      encoding: 'ascii',
      characters: charactersOfBytes(latin1Of(bytes), bytes),
      lineEnds,
    };
  }
  if (isUtf8(bytes)) {
    const characters = charactersOf(utf8Of(bytes));
    const ends = isCut
      ? countedLineEnds(bytes, lineEnds)
      : lineEndsOf(characters.text, lineEnds.length);
    // If the line lengths do not decide it, the text does, and it is valid UTF-8.
    if (!areLinesOfBytes(lineEnds, ends, characters.text)) {
      return { encoding: 'utf-8', characters, lineEnds: ends };
    }
  }
  const latin1 = latin1Of(bytes);
  const { page, hasControls } = detectCodePage(latin1);
  // Without bytes 80 to 9F, windows-1252 is ISO-8859-1.
  const isLatin1 = page === 'windows-1252' && !hasControls;
  const text = isLatin1 ? latin1 : decodeCodePage(page, bytes);
  return { encoding: page, characters: charactersOfBytes(text, bytes), lineEnds };
}

const HEADER = /^(?:\xEF\xBB\xBF)?0{5}\d{9}05[ D] {7}/;

/**
 * Recognises the beginning of a CODA file (record 0, 1-24).
 *
 * @param text with one character for each byte
 */
export function startsWithHeader(text: string): boolean {
  return HEADER.test(text);
}

/** The first bytes of a file that its encoding is seen from: a header in UTF-32. */
export const FIRST_BYTES = 116;

/**
 * Returns the encoding of a CODA file that a program on its way has converted into one that no bank
 * uses; undefined for any other file.
 *
 * @param bytes the first bytes of the file
 */
export function unsupportedEncodingOf(bytes: Uint8Array): string | undefined {
  const first = bytes[0] ?? 0;
  // Most files are ASCII here.
  if (first !== 0 && first < 0x80 && bytes[1] !== 0) return undefined;
  const text = latin1Of(bytes, 0, Math.min(bytes.length, FIRST_BYTES));
  if (text.includes('\0')) {
    const isUtf32 = text.includes('\0\0');
    const isHeader = startsWithHeader(text.replace(/[\0\xFE\xFF]/g, ''));
    return isHeader ? (isUtf32 ? 'UTF-32' : 'UTF-16') : undefined;
  }
  const isEbcdic = /^\xF0{5}[\xF0-\xF9]{9}\xF0\xF5[\x40\xC4]\x40{7}/.test(text);
  return isEbcdic ? 'EBCDIC' : undefined;
}

/** Decodes a statement whose encoding is known. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === 'utf-8') return utf8Of(bytes);
  return encoding === 'ascii' ? latin1Of(bytes) : decodeCodePage(encoding, bytes);
}

function lineEndsOf(text: string, count: number): number[] {
  const ends: number[] = [];
  for (let from = 0; ends.length < count; ) {
    const lineFeed = text.indexOf('\n', from);
    ends.push(lineFeed === -1 ? text.length : lineFeed);
    from = lineFeed + 1;
  }
  return ends;
}

/** Returns the line ends in characters of UTF-8, also of lines that have no line feed. */
function countedLineEnds(bytes: Uint8Array, lineEnds: readonly number[]): number[] {
  let index = 0;
  let count = 0;
  return lineEnds.map((lineEnd) => {
    for (; index < lineEnd; index += 1) {
      if (((bytes[index] ?? 0) & 0xc0) !== 0x80) count += 1;
    }
    return count;
  });
}

/**
 * Returns true if all lines that are not ASCII have 128 bytes, and one of them has not 128
 * characters. Such a line has fewer characters than bytes.
 */
function areLinesOfBytes(byteEnds: readonly number[], lineEnds: readonly number[], text: string) {
  let areCharacters = true;
  let byteStart = 0;
  let start = 0;
  for (const [line, end] of lineEnds.entries()) {
    const byteEnd = byteEnds[line] ?? 0;
    const carriageReturn = text.charCodeAt(end - 1) === CARRIAGE_RETURN ? 1 : 0;
    const characters = end - start - carriageReturn;
    const bytes = byteEnd - byteStart - carriageReturn;
    if (bytes !== characters) {
      if (bytes !== LENGTH) return false;
      areCharacters &&= characters === LENGTH;
    }
    const lineFeed = text.charCodeAt(end) === LINE_FEED ? 1 : 0;
    start = end + lineFeed;
    byteStart = byteEnd + lineFeed;
  }
  return !areCharacters;
}

// ü é â ç ê ë É in cp850; in windows-1252 rarely next to a letter.
const cp850ByLetter = new Set([0x81, 0x82, 0x83, 0x87, 0x88, 0x89, 0x90]);
// ä à è ï ô ö û ù in cp850; in windows-1252 punctuation, never between letters.
const cp850InWord = new Set([0x84, 0x85, 0x8a, 0x8b, 0x93, 0x94, 0x96, 0x97]);
const CP850_A_GRAVE = 0x85;
// € Š š Ž ž Œ œ Ÿ: the eight characters in which ISO-8859-15 differs from windows-1252 above 9F.
const iso15Letters = new Set([0xa4, 0xa6, 0xa8, 0xb4, 0xb8, 0xbc, 0xbd, 0xbe]);
const EURO_OF_ISO_15 = 0xa4;

/** @param text with one character for each byte */
function detectCodePage(text: string): { page: CodePage; hasControls: boolean } {
  let cp850 = 0;
  let latin = 0;
  let iso15 = 0;
  let controls = 0;
  NOT_ASCII.lastIndex = 0;
  while (NOT_ASCII.test(text)) {
    const index = NOT_ASCII.lastIndex - 1;
    const byte = text.charCodeAt(index);
    const before = isLetter(text.charCodeAt(index - 1));
    const after = isLetter(text.charCodeAt(index + 1));
    if (cp850ByLetter.has(byte) && (before || after)) cp850 += 1;
    if (cp850InWord.has(byte) && before && after) cp850 += 1;
    // This is the word `à`.
    if (byte === CP850_A_GRAVE && !before && !after) cp850 += 1;
    if (byte >= 0xc0) latin += 1;
    if (byte < 0xa0) controls += 1;
    if (byte === EURO_OF_ISO_15 || (iso15Letters.has(byte) && before && after)) iso15 += 1;
  }
  const hasControls = controls > 0;
  if (cp850 > latin) return { page: 'cp850', hasControls };
  return { page: iso15 > 0 && !hasControls ? 'iso-8859-15' : 'windows-1252', hasControls };
}

/** False for NaN, beyond the ends of the text. */
function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
