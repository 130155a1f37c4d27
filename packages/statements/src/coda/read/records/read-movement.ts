import type { FindingList } from '../../finding-list.js';
import { ibanOf, isWrongIban } from '../../format/check-digits.js';
import { givenText } from '../../given-text.js';
import type { Counterparty, Information, Movement } from '../../statement.js';
import type { CodaRecord } from './coda-record.js';
import { readInformationCommunication, readMovementCommunication } from './read-communication.js';
import { checkReserved, readAmount, readDate, readDigits } from './read-field.js';
import type { RecordGroup } from './record-group.js';
import { checkTransactionCode, readTransactionCode } from './transaction-code.js';

/** A movement that is still being given its information and details. */
export interface OpenMovement extends Movement {
  readonly information: Information[];
  informationTexts: readonly string[];
  readonly details: OpenMovement[];
}

/**
 * Reads records 2.1, 2.2 and 2.3 of one movement.
 *
 * @param yearOfFile that in which the file was created
 */
export function readMovement(
  group: RecordGroup,
  findings: FindingList,
  yearOfFile?: number,
): OpenMovement {
  const { first, second, third } = group;
  const { sequence, detail } = group.key;
  const transactionCode = readTransactionCode(first, 54, findings);
  checkTransactionCode(transactionCode, first, findings);
  const entryDate = readDate(first, 116, findings);
  if (first.digits(116, 121) === 0) findings.add('entryDateZero', first.number, 116);
  checkReserved(first, 127, 127, findings);
  if (second !== undefined) {
    checkReserved(second, 110, 112, findings);
    checkReserved(second, 127, 127, findings);
  }
  if (third !== undefined) checkReserved(third, 127, 127, findings);
  return {
    sequence,
    detail,
    bankReference: first.text(11, 31),
    amount: readAmount(first, 32, findings),
    valueDate: readDate(first, 48, findings),
    transactionCode,
    communication: readMovementCommunication(group, findings, yearOfFile),
    entryDate,
    paperNumber: readDigits(first, 122, 124, findings),
    globalisation: readDigits(first, 125, 125, findings),
    customerReference: second?.text(64, 98) ?? '',
    counterparty: readCounterparty(second, third, findings),
    rTransaction: second === undefined ? 0 : readRTransaction(second, findings),
    reason: second?.text(114, 117) ?? '',
    categoryPurpose: second?.text(118, 121) ?? '',
    purpose: second?.text(122, 125) ?? '',
    information: [],
    informationTexts: [],
    details: [],
  };
}

function readCounterparty(
  second: CodaRecord | undefined,
  third: CodaRecord | undefined,
  findings: FindingList,
): Counterparty {
  const bic = second?.text(99, 109) ?? '';
  if (third === undefined) return { account: '', currency: '', bic, name: '' };
  const name = third.text(48, 82);
  if (isBelgianNumber(third)) {
    return { account: third.text(11, 22), currency: third.text(24, 26), bic, name };
  }
  const written = third.text(11, 44);
  const compact = written.includes(' ') ? written.replaceAll(' ', '') : written;
  if (compact !== written) findings.add('spacesInAccount', third.number, 11);
  const iban = ibanOf(compact);
  const account = iban ?? compact;
  if (iban === undefined && isWrongIban(account) && givenText(account) !== '') {
    findings.add('counterpartyIban', third.number, 11, account);
  }
  return { account, currency: third.text(45, 47), bic, name };
}

/**
 * True for a Belgian account number from before 2011: 12 digits and a blank, then its currency, and
 * possibly a qualifier, country and extension zone, as in structure 0 of record 1.
 */
function isBelgianNumber(third: CodaRecord): boolean {
  if (third.digits(11, 22) === -1 || third.notBlank(23, 23) !== 0) return false;
  return /^[A-Z]{3}$/.test(third.text(24, 26)) || third.notBlank(24, 47) === 0;
}

/** 1 to 5; 0 or blank for none (113). */
function readRTransaction(record: CodaRecord, findings: FindingList): number {
  if (record.notBlank(113, 113) === 0) return 0;
  const type = record.digits(113, 113);
  if (type >= 0 && type <= 5) return type;
  findings.add('rTransaction', record.number, 113, record.text(113, 113));
  return 0;
}

/** Reads records 3.1 to 3.3 of one piece of information. */
export function readInformation(group: RecordGroup, findings: FindingList): Information {
  const { first, second, third } = group;
  const { sequence, detail } = group.key;
  checkEnd(first, 114, findings);
  if (second !== undefined) checkEnd(second, 116, findings);
  if (third !== undefined) checkEnd(third, 101, findings);
  return {
    sequence,
    detail,
    bankReference: first.text(11, 31),
    transactionCode: readTransactionCode(first, 32, findings),
    communication: readInformationCommunication(group, findings),
  };
}

/** Checks the reserved positions around the next code of record 3.1, 3.2 or 3.3 (126). */
function checkEnd(record: CodaRecord, from: number, findings: FindingList): void {
  checkReserved(record, from, 125, findings);
  checkReserved(record, 127, 127, findings);
}
