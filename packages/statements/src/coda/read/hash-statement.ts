import { createHash } from 'node:crypto';
import type { Encoding } from '../../code-pages.js';
import { decodeText } from './encoding.js';
import { CodaRecord, charactersOf } from './records/coda-record.js';

/**
 * Returns the SHA-256 of the content of a statement in hexadecimal digits, by which it is
 * recognised when it is delivered again. Encoding, line ends, trailing blanks, the multiple-file
 * code (record 9, position 128) and record 0 only say how it was delivered. Of record 0 the
 * separate-application code (84-88) counts, which says which subset of the transactions this is.
 * All other positions of all records count, as characters and not as decoded values, so that
 * another version of the reader returns the same hash.
 *
 * @param bytes one statement, as in `CodaResult.bytes`
 * @example hashStatement(result.bytes, result.statement.encoding)
 */
export function hashStatement(bytes: Uint8Array, encoding: Encoding): string {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hash = createHash('sha256');
  for (const line of decodeText(file, encoding).split(/\r?\n/)) {
    const content = contentOf(line);
    if (content !== '') hash.update(`${content}\n`);
  }
  return hash.digest('hex');
}

function contentOf(line: string): string {
  if (line.startsWith('0'))
    return `0${new CodaRecord(0, charactersOf(line)).text(84, 88) || '00000'}`;
  if (line.startsWith('9')) return new CodaRecord(0, charactersOf(line)).text(1, 127);
  // Without the lookbehind, a long run of blanks would take quadratic time.
  return line.replace(/(?<! ) +$/, '');
}
