import { createHash } from 'node:crypto';
import {
  type CodaResult,
  readCoda,
  renderStatementPdf,
  type Statement,
  statementDate,
} from '@adx/statements';
import { findByIban } from './recipient.js';
import { finding, storableText, type UploadFinding } from './upload-finding.js';
import type { UploadedDocument, UploadPart } from './uploaded-document.js';

/** Reads a CODA upload: each statement is a file of its own. */
export async function* readCodaDocuments(bytes: Uint8Array): AsyncGenerator<UploadPart> {
  for await (const result of readCoda(bytes)) yield partOf(result);
}

function partOf(result: CodaResult): UploadPart {
  const { statement, omittedFindings, firstRecord } = result;
  if (statement === undefined) return { findings: result.findings, omittedFindings };
  const lacking = missing(statement, firstRecord);
  const findings = [...result.findings, ...lacking];
  if (lacking.length > 0) return { findings, omittedFindings };
  return { document: documentOf(statement, result), findings, omittedFindings };
}

/** What the format can do without, and a list cannot. */
function missing({ account }: Statement, record: number): UploadFinding[] {
  if (account.iban === undefined) return [finding('noIban', account.number, record)];
  return /^[A-Z]{3}$/.test(account.currency) ? [] : [finding('noCurrency', undefined, record)];
}

function documentOf(
  statement: Statement,
  { bytes, firstRecord: record }: CodaResult,
): UploadedDocument {
  const { account, year, statementNumber } = statement;
  const { iban = '', currency } = account;
  const extension = storableText(account.extension);
  return {
    product: 'CODA',
    bytes,
    contentHash: hashCoda(bytes),
    record,
    key: { iban, currency, extension, year, statement_number: statementNumber },
    statementDate: statementDate(statement),
    fileStem: fileStemOf(statement),
    findRecipient: (knex, customers) => findByIban(knex, iban, customers),
    unmatched: finding('unknownAccount', `${iban} (${year}/${statementNumber})`, record),
    print: ({ language, bankName }) => renderStatementPdf(statement, { language, bankName }),
  };
}

/** `BE71096123456769_EUR_2026_014`; the date in place of a number that the bank does not give. */
function fileStemOf(statement: Statement): string {
  const { account, year, statementNumber } = statement;
  const extension = account.extension.replace(/[^A-Za-z0-9]+/g, '-');
  const number =
    statementNumber === 0
      ? statementDate(statement)
      : `${year}_${String(statementNumber).padStart(3, '0')}`;
  const currency = extension === '' ? account.currency : `${account.currency}-${extension}`;
  return [account.iban, currency, number].join('_');
}

/**
 * The hash of a statement's records. Left out is what differs between two deliveries of the same
 * statement: line ends, blanks that fill lines up, the mark of a duplicate (record 0, 17), and
 * whether another statement follows (record 9, 128).
 */
export function hashCoda(bytes: Uint8Array): Buffer {
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      if (line.startsWith('0')) return `${line.slice(0, 16)} ${line.slice(17)}`;
      return line.startsWith('9') ? line.slice(0, 127) : line;
    });
  const text = lines.map((line) => line.trimEnd()).join('\n');
  return createHash('sha256').update(text, 'latin1').digest();
}
