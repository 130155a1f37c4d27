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
  [435, 438],
  [700, 999],
];

/** The codes read so far: statements repeat a few of them. */
const codes = new Map<number, TransactionCode>();
/** Those of them that are in the standard. */
const codesInStandard = new Set<TransactionCode>();
const MOST_CODES = 10_000;

/** Reads the eight digits of a transaction code. */
export function readTransactionCode(
  record: CodaRecord,
  from: number,
  findings: FindingList,
): TransactionCode {
  const digits = record.digits(from, from + 7);
  const known = codes.get(digits);
  if (known !== undefined) return known;
  readDigits(record, from, from + 7, findings);
  const type = record.digits(from, from);
  const code = Object.freeze({
    type: type === -1 ? 0 : type,
    family: record.padded(from + 1, from + 2),
    operation: record.padded(from + 3, from + 4),
    category: record.padded(from + 5, from + 7),
  });
  if (digits !== -1 && codes.size < MOST_CODES) {
    codes.set(digits, code);
    if (digits !== 0 && isKnownTransaction(code) && isKnownCategory(code))
      codesInStandard.add(code);
  }
  return code;
}

/** Warns of a code that is not in the standard (record 2.1, 54-61). */
export function checkTransactionCode(
  code: TransactionCode,
  record: CodaRecord,
  findings: FindingList,
): void {
  if (codesInStandard.has(code)) return;
  if (record.digits(54, 61) === 0) {
    findings.add('transactionCodeZero', record.number, 54);
    return;
  }
  if (!isKnownTransaction(code)) {
    findings.add('unknownTransactionCode', record.number, 54, record.text(54, 61));
  }
  if (!isKnownCategory(code)) {
    findings.add('unknownCategory', record.number, 59, code.category);
  }
}

function isKnownTransaction({ type, family, operation }: TransactionCode): boolean {
  return type !== 4 && families.has(family) && operation !== '00';
}

function isKnownCategory({ category }: TransactionCode): boolean {
  const number = Number(category);
  return categories.some(([from, to]) => number >= from && number <= to);
}
