export { formatThousandths } from './amount.js';
export { isValidBban, isValidIban } from './coda/check-digits.js';
export { CodaWriteError } from './coda/coda-write-error.js';
export type { CodePage, Encoding } from './coda/code-pages.js';
export type { FreeText, UnknownStructure } from './coda/communication-layout.js';
export { endOfStatement, type StatementEnd } from './coda/continuity.js';
export { type CodaFindingCode, codaFindings } from './coda/finding-catalogue.js';
export type { CodaFinding } from './coda/finding-list.js';
export type { InformationCommunication } from './coda/information-layouts.js';
export { looksLikeCoda } from './coda/looks-like-coda.js';
export type { MovementCommunication } from './coda/movement-layouts.js';
export {
  type ByteSource,
  type CodaResult,
  type ReadCodaOptions,
  readCoda,
} from './coda/read-coda.js';
export type * from './coda/statement.js';
export { statementDate, statementKey } from './coda/statement-date.js';
export type {
  InformationDraft,
  MovementDraft,
  NewBalanceDraft,
  StatementDraft,
} from './coda/statement-draft.js';
export { type WriteCodaOptions, writeCoda } from './coda/write-coda.js';
export type { UnknownContent } from './codb/codb-report.js';
export { type CodbFinding, type CodbFindingCode, codbFindings } from './codb/finding-catalogue.js';
export type { PayrollBooking, PayrollLine } from './codb/payroll-booking.js';
export { type CodbReading, type PayrollDocument, readCodb } from './codb/read-codb.js';
export { writeCodb } from './codb/write-codb.js';
export type { Finding, FindingKind, Severity } from './finding.js';
export type { PrintedLanguage } from './pdf/printed-texts.js';
export { renderPayrollPdf } from './pdf/render-payroll-pdf.js';
export {
  type RenderOptions,
  type RenderStatementOptions,
  renderStatementPdf,
} from './pdf/render-statement-pdf.js';
