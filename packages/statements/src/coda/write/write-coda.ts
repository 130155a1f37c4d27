import { type CodePage, encodeCodePage } from '../../code-pages.js';
import { CodaWriteError } from './record-line.js';
import type { StatementDraft } from './statement-draft.js';
import { writeStatement } from './write-statement.js';

export interface WriteCodaOptions {
  /** UTF-8 by default. */
  readonly encoding?: 'utf-8' | CodePage;
  /** CRLF by default. */
  readonly lineEnd?: '\r\n' | '\n';
  /** End the last line with a line end; true by default. */
  readonly finalLineEnd?: boolean;
}

/**
 * Writes statements as one CODA file of version 2.
 *
 * @example
 * writeCoda([{
 *   header: { creationDate: '2026-02-03', bic: 'GKCCBEBB' },
 *   account: { structure: 2, number: 'BE71096123456769', currency: 'EUR' },
 *   statementNumber: 14,
 *   oldBalance: { amount: 1_000_000n, date: '2026-02-02' },
 *   newBalance: { date: '2026-02-03' },
 *   movements: [{
 *     amount: -12_500n,
 *     transactionCode: { type: 0, family: '01', operation: '01', category: '000' },
 *     communication: { kind: 'free', text: 'Invoice 2026/31' },
 *   }],
 * }]);
 * @throws {CodaWriteError} if the data do not fit the format or the encoding
 */
export function writeCoda(
  statements: readonly StatementDraft[],
  options: WriteCodaOptions = {},
): Uint8Array {
  const { encoding = 'utf-8', lineEnd = '\r\n', finalLineEnd = true } = options;
  if (statements.length === 0) throw new CodaWriteError('A file has at least one statement');
  const lines = statements.flatMap((statement, index) =>
    writeStatement(statement, index < statements.length - 1),
  );
  const text = lines.join(lineEnd) + (finalLineEnd ? lineEnd : '');
  return encoding === 'utf-8' ? new TextEncoder().encode(text) : encode(text, encoding);
}

function encode(text: string, page: CodePage): Uint8Array {
  return Uint8Array.from(Array.from(text), (character) => {
    const byte = encodeCodePage(page, character);
    if (byte === undefined) throw new CodaWriteError(`${page} has no character ${character}`);
    return byte;
  });
}
