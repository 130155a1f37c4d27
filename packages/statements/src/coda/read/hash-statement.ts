import { createHash } from 'node:crypto';
import type { Encoding } from '../../code-pages.js';
import type { AccountStructure } from '../statement.js';
import { decodeText } from './encoding.js';
import { accountStructureOf, readAccountZone } from './records/account-zone.js';
import { CodaRecord, charactersOf } from './records/coda-record.js';

const LENGTH = 128;
const END_OF_FILE = 0x1a;

/**
 * Returns the SHA-256 of the content of a statement in hexadecimal digits, by which it is
 * recognised when it is delivered again. Encoding, line ends, trailing blanks, the multiple-file
 * code (record 9, position 128) and record 0 only say how it was delivered. Of record 0 the
 * separate-application code (84-88) counts, which says which subset of the transactions this is.
 * All other positions of all records count, as characters and not as decoded values, so that
 * another version of the reader returns the same hash. An account counts as its IBAN if it has one,
 * as a former Belgian number, in lower case, with spaces, or as another foreign number.
 *
 * @param bytes one statement, as in `CodaResult.bytes`
 * @example hashStatement(result.bytes, result.statement.encoding)
 */
export function hashStatement(bytes: Uint8Array, encoding: Encoding): string {
  const hash = createHash('sha256');
  let structure: AccountStructure | undefined;
  for (const line of decodeText(bytes, encoding).split(/[\r\n]+/)) {
    for (const record of recordsIn(line)) {
      if (record.startsWith('1')) structure = accountStructureOf(recordOf(record));
      const content = withoutTrailingBlanks(contentOf(record, structure));
      if (content !== '') hash.update(`${content}\n`);
    }
  }
  return hash.digest('hex');
}

/** Returns the records of a line, which are several where line ends are missing. */
function recordsIn(line: string): readonly string[] {
  const text = withoutEndOfFile(line);
  if (text.length <= LENGTH) return [text];
  const records: string[] = [];
  const characters = Array.from(text);
  for (let from = 0; from < characters.length; from += LENGTH) {
    records.push(characters.slice(from, from + LENGTH).join(''));
  }
  return records;
}

/** Removes the end-of-file marks of DOS at the end of a line. */
function withoutEndOfFile(line: string): string {
  let end = line.length;
  while (line.charCodeAt(end - 1) === END_OF_FILE) end -= 1;
  return line.slice(0, end);
}

/** @param structure that of the account; undefined if it is unknown */
function contentOf(line: string, structure: AccountStructure | undefined): string {
  const type = line[0];
  if (type === '0') return `0${recordOf(line).text(84, 88) || '00000'}`;
  if (type === '9') return recordOf(line).text(1, 127);
  if (structure === undefined) return line;
  if (type === '1') return withIban(line, 6, structure).replace(/^1./, '1 ');
  return type === '8' ? withIban(line, 5, structure) : line;
}

function withoutTrailingBlanks(line: string): string {
  // Without the lookbehind, a long run of blanks would take quadratic time.
  return line.replace(/(?<! ) +$/, '');
}

/** Writes the account that starts at a position as its IBAN, if it has one. */
function withIban(line: string, start: number, structure: AccountStructure): string {
  const { iban, currency, extension } = readAccountZone(recordOf(line), start, structure);
  if (iban === undefined || extension.length > 3) return line;
  // The reader ignores what stands after a Belgian IBAN.
  const written = structure === 2 ? line.slice(start - 1, start + 30) : iban;
  if (written.replaceAll(' ', '').length > iban.length) return line;
  const zone = `${iban.padEnd(31)}${extension}`.padEnd(34) + currency;
  return line.slice(0, start - 1) + zone + line.slice(start + 36);
}

function recordOf(line: string): CodaRecord {
  return new CodaRecord(0, charactersOf(line));
}
