import type { Encoding } from '../code-pages.js';
import type { InformationCommunication } from './format/information-layouts.js';
import type { MovementCommunication } from './format/movement-layouts.js';

/** A statement of account, as one CODA file holds it. Amounts are thousandths, credit positive. */
export interface Statement {
  readonly header: Header;
  readonly account: Account;
  /** The year the statement number counts in: that of the new balance, else of the creation. */
  readonly year: number;
  /** The coded statement number (record 1, 126-128), 1 to 999; 0 where the bank gives none. */
  readonly statementNumber: number;
  /** The number on paper, the day of the year, or 0 (record 1, 3-5). */
  readonly paperNumber: number;
  readonly oldBalance: Balance;
  /** Not there in some empty statements; the old balance holds then. */
  readonly newBalance: NewBalance | undefined;
  readonly movements: readonly Movement[];
  readonly freeCommunications: readonly FreeCommunication[];
  readonly trailer: Trailer;
  readonly encoding: Encoding;
}

/** Record 0. Texts that are not there are empty. */
export interface Header {
  /** `YYYY-MM-DD` (6-11). */
  readonly creationDate: string;
  /** Three digits, `000` where the bank gives none (12-14). */
  readonly bankCode: string;
  /** A copy of a file that was sent before (17). */
  readonly duplicate: boolean;
  readonly fileReference: string;
  readonly addressee: string;
  /** 8 or 11 characters. */
  readonly bic: string;
  /** Ten digits, or empty (73-82). */
  readonly enterpriseNumber: string;
  /** `00000`, or five digits that name the transactions this file is limited to (84-88). */
  readonly separateApplication: string;
  readonly transactionReference: string;
  readonly relatedReference: string;
}

/** 0 Belgian account number, 1 foreign number, 2 Belgian IBAN, 3 foreign IBAN (record 1, 2). */
export type AccountStructure = 0 | 1 | 2 | 3;

/** The account of the statement (record 1). Texts that are not there are empty. */
export interface Account {
  readonly structure: AccountStructure;
  /** The number as the structure says, without spaces: account number, foreign number or IBAN. */
  readonly number: string;
  /** The IBAN; worked out for structure 0, undefined for a foreign number. */
  readonly iban: string | undefined;
  /** ISO 4217. */
  readonly currency: string;
  /** Tells apart the accounts that share a number (structures 0 and 2). */
  readonly extension: string;
  /** Structure 0 only: the qualifier, one digit, and the country. */
  readonly qualifier: string;
  readonly country: string;
  readonly holder: string;
  readonly description: string;
}

export interface Balance {
  readonly amount: bigint;
  /** `YYYY-MM-DD`, undefined where the bank gives none. */
  readonly date: string | undefined;
}

export interface NewBalance extends Balance {
  /** Record 8, 2-4: may differ from that of record 1. */
  readonly paperNumber: number;
}

/** Positions 54-61 of record 2.1: type 1 digit, family 2, operation 2, category 3. */
export interface TransactionCode {
  /** 0 simple, 1-2 total of details, 3 simple with details; 5-9 details, outside the balance. */
  readonly type: number;
  readonly family: string;
  readonly operation: string;
  readonly category: string;
}

/** The account on the other side (records 2.2 and 2.3). Texts that are not there are empty. */
export interface Counterparty {
  /** Without spaces. */
  readonly account: string;
  readonly currency: string;
  readonly bic: string;
  readonly name: string;
}

/** Records 2.1 to 2.3 of one movement or detail, and what hangs below it. */
export interface Movement {
  readonly sequence: number;
  /** 0 for a movement that counts in the balance. */
  readonly detail: number;
  readonly bankReference: string;
  readonly amount: bigint;
  /** `YYYY-MM-DD`, undefined where the bank gives none. */
  readonly valueDate: string | undefined;
  readonly transactionCode: TransactionCode;
  readonly communication: MovementCommunication;
  /** `YYYY-MM-DD`, undefined where the bank gives none. */
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
  readonly details: readonly Movement[];
}

/** Records 3.1 to 3.3: more about a movement. */
export interface Information {
  readonly sequence: number;
  readonly detail: number;
  readonly bankReference: string;
  readonly transactionCode: TransactionCode;
  readonly communication: InformationCommunication;
}

/** Records 4 of one number: a message of the bank, up to 80 characters a line. */
export interface FreeCommunication {
  readonly sequence: number;
  readonly lines: readonly string[];
}

/** Record 9. */
export interface Trailer {
  /** How many records 1, 2, 3 and 8. */
  readonly recordCount: number;
  /** Thousandths, both positive. */
  readonly debitTotal: bigint;
  readonly creditTotal: bigint;
  /** As the trailer says; undefined where it is cut off before the code. */
  readonly anotherFollows: boolean | undefined;
}

/**
 * The date of a statement, `YYYY-MM-DD`: that of its new balance, else of its creation.
 */
export function statementDate({ newBalance, header }: Statement): string {
  return newBalance?.date ?? header.creationDate;
}

/**
 * The key that tells a statement from every other one: account, currency, extension, year, number
 * and date. Numbers start again each year, and banks repeat them.
 *
 * @example statementKey(statement) // 'BE71096123456769 EUR  2026 14 2026-02-03'
 */
export function statementKey(statement: Statement): string {
  const { account, year, statementNumber } = statement;
  const { number, currency, extension } = account;
  return [number, currency, extension, year, statementNumber, statementDate(statement)].join(' ');
}
