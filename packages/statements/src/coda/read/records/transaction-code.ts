import type { FindingList } from '../../finding-list.js';
import type { TransactionCode } from '../../statement.js';
import type { CodaRecord } from './coda-record.js';
import { readDigits } from './read-field.js';

const families = new Set([
  '01', // SEPA credit transfers
  '02', // instant credit transfers
  '03', // cheques
  '04', // cards
  '05', // direct debits
  '07', // bills of exchange
  '09', // counter transactions
  '11', // securities
  '13', // credit
  '30', // miscellaneous
  '35', // closing
  '41', // foreign transfers
  '43', // foreign cheques
  '47', // foreign bills
  '80', // fees
]);

/** The categories of the standard, both ends included; those from 700 are bank-specific. */
const categories: readonly (readonly [from: number, to: number])[] = [
  [0, 74],
  [100, 100],
  [200, 214],
  [400, 431],
  [700, 999],
];

/** Reads the eight digits of a transaction code. */
export function readTransactionCode(
  record: CodaRecord,
  from: number,
  findings: FindingList,
): TransactionCode {
  readDigits(record, from, from + 7, findings);
  const type = record.digits(from, from);
  return {
    type: type === -1 ? 0 : type,
    family: record.padded(from + 1, from + 2),
    operation: record.padded(from + 3, from + 4),
    category: record.padded(from + 5, from + 7),
  };
}

/** Warns of a code that is not in the standard (record 2.1, 54-61). */
export function checkTransactionCode(
  { type, family, operation, category }: TransactionCode,
  record: CodaRecord,
  findings: FindingList,
): void {
  if (record.digits(54, 61) === 0) {
    findings.add('transactionCodeZero', record.number, 54);
    return;
  }
  if (type === 4 || !families.has(family) || operation === '00') {
    findings.add('unknownTransactionCode', record.number, 54, record.text(54, 61));
  }
  const number = Number(category);
  if (!categories.some(([from, to]) => number >= from && number <= to)) {
    findings.add('unknownCategory', record.number, 59, category);
  }
}
