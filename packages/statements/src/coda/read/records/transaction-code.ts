import type { FindingList } from '../../finding-list.js';
import { categoryNames } from '../../names/category-names.js';
import { operationNames } from '../../names/operation-names.js';
import type { TransactionCode } from '../../statement.js';
import type { CodaRecord } from './coda-record.js';
import { readDigits } from './read-field.js';

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
  return type !== 4 && operationNames.fr.has(family) && operation !== '00';
}

/**
 * The net amount, a category with a name, or one of those from 700, which are specific to each
 * bank.
 */
function isKnownCategory({ category }: TransactionCode): boolean {
  return category === '000' || Number(category) >= 700 || categoryNames.fr.has(category);
}
