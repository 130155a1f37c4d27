import {
  type ByteSource,
  type CodaFindingCode,
  type CodaResult,
  hashStatement,
  readCoda,
  type Statement,
  statementDate,
} from '@adx/statements';
import type { Document } from '../../files/document.js';
import { bicOfBankCode } from '../../identifiers/bic-of-bank-code.js';
import { finding, type ParsedDocument, storableText, type UploadFinding } from './finding.js';

/** Reads a CODA file from its result number `skip` on. Each statement is a document. */
export async function* readCodaDocuments(
  source: ByteSource,
  skip: number,
): AsyncGenerator<ParsedDocument> {
  let skipped = 0;
  for await (const result of readCoda(source, { bicOfBankCode })) {
    if (skipped === skip) yield parse(result);
    else skipped += 1;
  }
}

/**
 * Findings on the chain that the reader makes from one file alone. The chain of all listed
 * statements decides (D-30).
 */
const ofChain: ReadonlySet<string> = new Set<CodaFindingCode>([
  'statementNumberGap',
  'oldBalanceGap',
  'statementRepeated',
]);

function parse(result: CodaResult): ParsedDocument {
  const { statement, omittedFindings, firstRecord } = result;
  if (statement === undefined) return { findings: result.findings, omittedFindings };
  const missing = missingFields(statement, firstRecord);
  const findings = [...result.findings.filter(({ code }) => !ofChain.has(code)), ...missing];
  if (missing.length > 0) return { findings, omittedFindings };
  return { document: documentOf(statement, result), findings, omittedFindings };
}

/** Returns findings on fields that are optional in CODA but required to list the statement. */
function missingFields({ account }: Statement, record: number): UploadFinding[] {
  if (account.iban === undefined) return [finding('noIban', account.number, record)];
  return /^[A-Z]{3}$/.test(account.currency) ? [] : [finding('noCurrency', undefined, record)];
}

function documentOf(statement: Statement, { bytes, firstRecord: record }: CodaResult): Document {
  const { account, year, statementNumber } = statement;
  const { iban = '', currency } = account;
  const extension = storableText(account.extension);
  return {
    product: 'CODA',
    bytes,
    contentHash: Buffer.from(hashStatement(bytes, statement.encoding), 'hex'),
    record,
    key: { iban, currency, extension, year, statement_number: statementNumber },
    statementDate: statementDate(statement),
    ...balancesOf(statement),
    fileStem: fileStemOf(statement),
    subject: { iban, bic: statement.header.bic },
    label: `${iban} (${year}/${statementNumber})`,
  };
}

function balancesOf({ header, oldBalance, newBalance }: Statement): Pick<Document, 'balances'> {
  if (header.separateApplication !== '00000') return {};
  const { amount } = newBalance ?? oldBalance;
  return {
    balances: { createdOn: header.creationDate, old: oldBalance.amount, new: amount },
  };
}

/**
 * Returns `BE71096123456769_EUR_2026_014`. Number 0 means that the bank does not number its
 * statements; the date replaces it.
 */
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
