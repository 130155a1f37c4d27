import { isAscii, isUtf8 } from 'node:buffer';
import { type CodePage, decodeCodePage, type Encoding } from '../../code-pages.js';

const CARRIAGE_RETURN = 0x0d;
const NOT_ASCII = /[\x80-\xff]/g;

/**
 * Detects the encoding of one statement: UTF-8 if all of it is valid UTF-8 and its lines have 128
 * characters; else cp850 by its typical bytes, ISO-8859-15 by the bytes in which it differs from
 * windows-1252, else windows-1252. The structure of a statement is ASCII in all of them.
 *
 * @param splitLines returns the lines without line ends, or those of them that are not ASCII; called
 *   only if they matter
 */
export function detectEncoding(
  bytes: Uint8Array,
  splitLines: () => readonly Uint8Array[],
): Encoding {
  if (isAscii(bytes)) return 'ascii';
  if (isUtf8(bytes)) {
    const special = splitLines().filter((line) => !isAscii(line));
    const asUtf8 = special.every((line) => countCharacters(line) === 128);
    const asCodePage = special.every((line) => line.length === 128);
    // If the line lengths do not decide it, the text does, and it is valid UTF-8.
    if (asUtf8 || !asCodePage) return 'utf-8';
  }
  return detectCodePage(bytes);
}

/** The text of a statement. */
export interface StatementText {
  readonly text: string;
  /** The offset of each line's end in the text, before its line feed. */
  readonly lineEnds: readonly number[];
}

/**
 * Decodes a statement as a whole, which is much faster than line by line.
 *
 * @param lineEnds the offset of each line's end in the bytes
 */
export function decodeStatement(
  bytes: Buffer,
  lineEnds: readonly number[],
  encoding: Encoding,
): StatementText {
  if (encoding === 'ascii') return { text: bytes.toString('latin1'), lineEnds };
  if (encoding !== 'utf-8') return { text: decodeCodePage(encoding, bytes), lineEnds };
  const text = bytes.toString('utf8');
  if (text.length === bytes.length) return { text, lineEnds };
  let from = 0;
  const ends = lineEnds.map(() => {
    const lineFeed = text.indexOf('\n', from);
    const end = lineFeed === -1 ? text.length : lineFeed;
    from = end + 1;
    return end;
  });
  return { text, lineEnds: ends };
}

/**
 * Returns the lines that are not ASCII, without line feeds.
 *
 * @param lineEnds the offset of each line's end
 */
export function linesBeyondAscii(bytes: Buffer, lineEnds: readonly number[]): Uint8Array[] {
  const text = bytes.toString('latin1');
  const found: Uint8Array[] = [];
  let line = 0;
  let done = 0;
  for (const { index } of text.matchAll(NOT_ASCII)) {
    if (index < done) continue;
    while ((lineEnds[line] ?? text.length) < index) line += 1;
    done = lineEnds[line] ?? text.length;
    const start = line === 0 ? 0 : (lineEnds[line - 1] ?? 0) + 1;
    found.push(bytes.subarray(start, bytes[done - 1] === CARRIAGE_RETURN ? done - 1 : done));
  }
  return found;
}

/** Counts characters of UTF-8: each has exactly one byte that is not a continuation byte. */
function countCharacters(line: Uint8Array): number {
  let count = 0;
  for (const byte of line) if ((byte & 0xc0) !== 0x80) count += 1;
  return count;
}

// ü é â ç ê ë É in cp850; in windows-1252 rarely next to a letter.
const cp850ByLetter = new Set([0x81, 0x82, 0x83, 0x87, 0x88, 0x89, 0x90]);
// ä à è ï ô ö û ù in cp850; in windows-1252 punctuation, never between letters.
const cp850InWord = new Set([0x84, 0x85, 0x8a, 0x8b, 0x93, 0x94, 0x96, 0x97]);
const CP850_A_GRAVE = 0x85;
// € Š š Ž ž Œ œ Ÿ: the eight characters in which ISO-8859-15 differs from windows-1252 above 9F.
const iso15Letters = new Set([0xa4, 0xa6, 0xa8, 0xb4, 0xb8, 0xbc, 0xbd, 0xbe]);
const EURO_OF_ISO_15 = 0xa4;

function detectCodePage(bytes: Uint8Array): CodePage {
  let cp850 = 0;
  let latin = 0;
  let iso15 = 0;
  let controls = 0;
  for (const { index } of latin1(bytes).matchAll(NOT_ASCII)) {
    const byte = bytes[index] ?? 0;
    const before = isLetter(bytes[index - 1]);
    const after = isLetter(bytes[index + 1]);
    if (cp850ByLetter.has(byte) && (before || after)) cp850 += 1;
    if (cp850InWord.has(byte) && before && after) cp850 += 1;
    // The word `à`.
    if (byte === CP850_A_GRAVE && !before && !after) cp850 += 1;
    if (byte >= 0xc0) latin += 1;
    if (byte < 0xa0) controls += 1;
    if (byte === EURO_OF_ISO_15 || (iso15Letters.has(byte) && before && after)) iso15 += 1;
  }
  if (cp850 > latin) return 'cp850';
  return iso15 > 0 && controls === 0 ? 'iso-8859-15' : 'windows-1252';
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function isLetter(byte = 0): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
