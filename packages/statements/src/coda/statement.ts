import type { Encoding } from '../code-pages.js';
import type { InformationCommunication } from './format/information-layouts.js';
import type { MovementCommunication } from './format/movement-layouts.js';

/** A statement of account. Amounts are thousandths, positive for a credit. */
export interface Statement {
  readonly header: Header;
  readonly account: Account;
  /** The year of the statement number: that of the new balance, else of the creation date. */
  readonly year: number;
  /** The coded statement number (record 1, 126-128), 1 to 999; 0 if the bank gives none. */
  readonly statementNumber: number;
  /** The paper statement number, the day of the year, or 0 (record 1, 3-5). */
  readonly paperNumber: number;
  readonly oldBalance: Balance;
  /** Undefined in some empty statements, whose old balance still holds. */
  readonly newBalance: NewBalance | undefined;
  readonly movements: readonly Movement[];
  readonly freeCommunications: readonly FreeCommunication[];
  readonly trailer: Trailer;
  readonly encoding: Encoding;
}

/** Record 0. Missing texts are empty. */
export interface Header {
  /** `YYYY-MM-DD` (6-11). */
  readonly creationDate: string;
  /** Three digits, `000` if the bank gives none (12-14). */
  readonly bankCode: string;
  /** The file has been sent before (17). */
  readonly duplicate: boolean;
  readonly fileReference: string;
  readonly addressee: string;
  /** 8 or 11 characters. */
  readonly bic: string;
  /** Ten digits, or empty (73-82). */
  readonly enterpriseNumber: string;
  /** `00000`, or five digits that stand for the subset of transactions in this file (84-88). */
  readonly separateApplication: string;
  readonly transactionReference: string;
  readonly relatedReference: string;
}

/** 0 Belgian account number, 1 foreign number, 2 Belgian IBAN, 3 foreign IBAN (record 1, 2). */
export type AccountStructure = 0 | 1 | 2 | 3;

/** The account of the statement (record 1). Missing texts are empty. */
export interface Account {
  readonly structure: AccountStructure;
  /** Account number, foreign number or IBAN, depending on the structure, without spaces. */
  readonly number: string;
  /** The IBAN; derived for structure 0, undefined for a foreign number. */
  readonly iban: string | undefined;
  /** ISO 4217. */
  readonly currency: string;
  /** Distinguishes sub-accounts that share a number (structures 0 and 2). */
  readonly extension: string;
  /** Structure 0 only: one digit. */
  readonly qualifier: string;
  /** Structure 0 only. */
  readonly country: string;
  readonly holder: string;
  readonly description: string;
}

export interface Balance {
  readonly amount: bigint;
  /** `YYYY-MM-DD`, undefined if the bank gives none. */
  readonly date: string | undefined;
}

export interface NewBalance extends Balance {
  /** Record 8, 2-4; may differ from that of record 1. */
  readonly paperNumber: number;
}

/** Positions 54-61 of record 2.1: type 1 digit, family 2, operation 2, category 3. */
export interface TransactionCode {
  /** 0 simple, 1-2 total of details, 3 simple with details; 5-9 details, which do not count. */
  readonly type: number;
  readonly family: string;
  readonly operation: string;
  readonly category: string;
}

/** The counterparty of a movement (records 2.2 and 2.3). Missing texts are empty. */
export interface Counterparty {
  /** Without spaces. */
  readonly account: string;
  readonly currency: string;
  readonly bic: string;
  readonly name: string;
}

/** Records 2.1 to 2.3 of one movement or detail, with its information and details. */
export interface Movement {
  readonly sequence: number;
  /** 0 for a movement that counts towards the balance. */
  readonly detail: number;
  readonly bankReference: string;
  readonly amount: bigint;
  /** `YYYY-MM-DD`, undefined if the bank gives none. */
  readonly valueDate: string | undefined;
  readonly transactionCode: TransactionCode;
  readonly communication: MovementCommunication;
  /** `YYYY-MM-DD`, undefined if the bank gives none. */
  readonly entryDate: string | undefined;
  readonly paperNumber: number;
  /** 0, or the level that starts or ends with this record. */
  readonly globalisation: number;
  readonly customerReference: string;
  readonly counterparty: Counterparty;
  /** 0 none, 1 reject, 2 return, 3 refund, 4 reversal, 5 cancellation. */
  readonly rTransaction: number;
  /** ISO 20022 codes of four characters. */
  readonly reason: string;
  readonly categoryPurpose: string;
  readonly purpose: string;
  readonly information: readonly Information[];
  /**
   * The free texts of the information. Those that the bank wrapped over several records are joined.
   */
  readonly informationTexts: readonly string[];
  readonly details: readonly Movement[];
}

/** Records 3.1 to 3.3: additional information on a movement. */
export interface Information {
  readonly sequence: number;
  readonly detail: number;
  readonly bankReference: string;
  readonly transactionCode: TransactionCode;
  readonly communication: InformationCommunication;
}

/** Records 4 of one sequence number: a message of the bank, up to 80 characters per line. */
export interface FreeCommunication {
  readonly sequence: number;
  readonly lines: readonly string[];
}

/** Record 9. */
export interface Trailer {
  /** The number of records 1, 2, 3 and 8. */
  readonly recordCount: number;
  /** Thousandths, both positive. */
  readonly debitTotal: bigint;
  readonly creditTotal: bigint;
  /** The multiple-file code; undefined if the trailer is truncated before it. */
  readonly anotherFollows: boolean | undefined;
}

/** Returns the date of a statement, `YYYY-MM-DD`: of its new balance, else of its creation. */
export function statementDate({ newBalance, header }: Statement): string {
  return newBalance?.date ?? header.creationDate;
}

/**
 * Returns the key that identifies a statement: account, currency, extension, year, number and date.
 * The number alone does not: it restarts each year, and banks repeat it.
 *
 * @example statementKey(statement) // 'BE71096123456769 EUR  2026 14 2026-02-03'
 */
export function statementKey(statement: Statement): string {
  const { account, year, statementNumber } = statement;
  const { iban, number, currency, extension } = account;
  return [
    iban ?? number,
    currency,
    extension,
    year,
    statementNumber,
    statementDate(statement),
  ].join(' ');
}

/**
 * Returns the date of a statement that is the same however it was delivered; `''` if it has none.
 */
export function contentDate({ newBalance, oldBalance }: Statement): string {
  return newBalance?.date ?? oldBalance.date ?? '';
}

/**
 * Returns what two copies of a statement share: account, number, date, balances, totals, amounts
 * and references. A version of it with other texts alone shares it too, if it has references.
 */
export function copyKey(statement: Statement): string {
  const { account, statementNumber, header, oldBalance, newBalance, trailer } = statement;
  const { movements } = statement;
  let amounts = 0;
  for (const [index, { amount }] of movements.entries()) amounts += (index + 1) * Number(amount);
  return [
    ...[account.iban ?? account.number, account.currency, account.extension],
    ...[header.separateApplication, statementNumber, contentDate(statement)],
    ...[oldBalance.amount, newBalance?.amount],
    ...[trailer.recordCount, trailer.debitTotal, trailer.creditTotal, amounts],
    ...[movements[0], movements.at(-1)].map(referenceOf),
  ].join(' ');
}

/** Returns the dates of a movement with the bank's reference, else texts of it. */
function referenceOf(movement: Movement | undefined): string {
  if (movement === undefined) return '';
  const { entryDate, valueDate, bankReference } = movement;
  if (bankReference !== '') return [entryDate, valueDate, bankReference].join(' ');
  const { communication, customerReference, counterparty } = movement;
  const text = communication.kind === 'structured' ? communication.type : communication.text;
  const { name, account } = counterparty;
  return [entryDate, valueDate, text, customerReference, name, account].join(' ');
}
