export { formatThousandths } from './amount.js';
export { isBankingDay } from './coda/continuity/banking-days.js';
export { type Chain, type ChainBreak, followChain } from './coda/continuity/chain.js';
export type { ChainStatement } from './coda/continuity/chain-statement.js';
export { overdueFrom } from './coda/continuity/silence.js';
export { type CodaFindingCode, codaFindings } from './coda/finding-catalogue.js';
export type { CodaFinding } from './coda/finding-list.js';
export { isValidBban, isValidIban } from './coda/format/check-digits.js';
export type { FreeText, UnknownStructure } from './coda/format/communication-layout.js';
export type { InformationCommunication } from './coda/format/information-layouts.js';
export type { MovementCommunication } from './coda/format/movement-layouts.js';
export type { NameLanguage } from './coda/names/code-table.js';
export { transactionName } from './coda/names/transaction-name.js';
export { endOfStatement, type StatementEnd } from './coda/read/continuity.js';
export { hashStatement } from './coda/read/hash-statement.js';
export {
  type ByteSource,
  type CodaResult,
  looksLikeCoda,
  type ReadCodaOptions,
  readCoda,
} from './coda/read/read-coda.js';
export {
  type Account,
  type AccountStructure,
  type Balance,
  type Counterparty,
  type FreeCommunication,
  type Header,
  type Information,
  type Movement,
  type NewBalance,
  type Statement,
  statementDate,
  statementKey,
  type Trailer,
  type TransactionCode,
} from './coda/statement.js';
export { CodaWriteError } from './coda/write/record-line.js';
export type {
  InformationDraft,
  MovementDraft,
  NewBalanceDraft,
  StatementDraft,
} from './coda/write/statement-draft.js';
export { type WriteCodaOptions, writeCoda } from './coda/write/write-coda.js';
export type { UnknownContent } from './codb/codb-report.js';
export {
  type CodbFinding,
  type CodbFindingCode,
  codbFindings,
} from './codb/findings/finding-catalogue.js';
export type { PayrollBooking, PayrollLine } from './codb/payroll-booking.js';
export { isEnterpriseNumber } from './codb/payroll-values.js';
export { type CodbReading, type PayrollDocument, readCodb } from './codb/read-codb.js';
export { writeCodb } from './codb/write-codb.js';
export type { CodePage, Encoding } from './code-pages.js';
export { type WriteCamt053Options, writeCamt053 } from './convert/camt053.js';
export type { CamtVersion } from './convert/camt053-parts.js';
export { payrollCsv, statementsCsv } from './convert/csv.js';
export { describeCodaFinding, describeCodbFinding } from './describe-finding.js';
export type { Finding, FindingKind, Severity } from './finding.js';
export type { FindingLanguage } from './finding-language.js';
export { type JsonValue, toJsonValue } from './json-value.js';
