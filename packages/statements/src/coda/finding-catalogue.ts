import type { Severity } from '../finding.js';

/** What a code of the catalogue stands for. */
export interface FindingKind {
  readonly severity: Severity;
  readonly text: string;
}

const error = (text: string): FindingKind => ({ severity: 'error', text });
const warning = (text: string): FindingKind => ({ severity: 'warning', text });

/** Everything the CODA reader can find: the code, whether it refuses the statement, and its text. */
export const codaFindings = {
  emptyFile: error('The file holds no statement'),
  headerMissing: error('These lines belong to no statement: there is no header (record 0)'),
  statementTooLarge: error('The statement is larger than this reader accepts'),
  lineLength: error('A record has 128 characters'),
  recordType: error('There is no such record'),
  recordOrder: error('This record cannot stand here'),
  trailerMissing: error('The statement ends without a trailer (record 9)'),
  newBalanceMissing: error('There are movements, but no new balance (record 8)'),
  headerConstant: error('The header has something else than the constant of this position'),
  version1: error('CODA version 1 ended in 2007 and is not read'),
  version: error('The version is not 2'),
  digits: error('Only digits may stand here'),
  date: error('This is no date (DDMMYY)'),
  accountStructure: error('The account structure is not 0, 1, 2 or 3'),
  sign: error('The sign is neither 0 (credit) nor 1 (debit)'),
  communicationFlag: error('The communication is neither 0 (free) nor 1 (structured)'),
  sequenceNumber: error('The sequence number does not follow the one before'),
  detailNumber: error('The detail number does not follow the one before'),
  continuationKey: error('The numbers are not those of the record that is continued'),
  nextCode: error('The next code does not say what follows'),
  linkCode: error('The link code does not say what follows'),
  accountMismatch: error('The old and the new balance name different accounts'),
  currencyMismatch: error('The old and the new balance name different currencies'),
  balance: error('Old balance and movements do not lead to the new balance'),
  trailerCount: error('The trailer counts another number of records'),
  trailerDebitTotal: error('The trailer has another total of debits'),
  trailerCreditTotal: error('The trailer has another total of credits'),
  ibanCheckDigits: error('The check digits of the IBAN are wrong'),
  bbanCheckDigits: error('The check digits of the account number are wrong'),
  multipleFileCode: error('The multiple-file code is neither 1 nor 2'),
  lastThoughFollowed: error('The trailer says it is the last, but another statement follows'),

  unknownTransactionCode: warning('The transaction code is not one of the standard'),
  unknownCategory: warning('The transaction category is not one of the standard'),
  unknownCommunicationType: warning('The type of the communication is not one of the standard'),
  communicationCheckDigits: warning('The check digits of the communication are wrong'),
  communicationField: warning('A field of the communication cannot be read'),
  detailSum: warning('The details do not add up to their total'),
  informationReference: warning('The reference is not that of the movement'),
  informationTransactionCode: warning('The transaction code is not that of the movement'),
  statementNumberGap: warning('Statement numbers are missing before this one'),
  oldBalanceGap: warning('The old balance is not the new balance of the statement before'),
  duplicate: warning('The bank marked this statement as a duplicate'),
  thirdDecimal: warning('The third decimal of the amount is not 0'),
  bicOfAnotherBank: warning('The BIC is not that of the bank of the account'),
  counterpartyIban: warning("The check digits of the counterparty's IBAN are wrong"),
  rTransaction: warning('The type of the R-transaction is not one of the standard'),
  reservedPositions: warning('Positions that should be blank are not'),
  freeCommunicationNumber: warning('The number of the free communication does not follow'),
  blankLine: warning('There are blank lines outside the statement'),
  byteOrderMark: warning('The file starts with a byte order mark'),

  trailerNotLast: warning('The trailer says another statement follows, but it is the last'),
  trailerCut: warning('The trailer is cut off after its totals'),
  accountStructureBlank: warning('The account structure is blank and was found by the account'),
  transactionCodeZero: warning('The transaction code is 00000000'),
  paperNumberIsDayOfYear: warning('The paper number is the day of the year'),
  entryDateZero: warning('The entry date is 000000'),
  newBalanceDateZero: warning('The date of the new balance is 000000'),
  newBalanceAbsent: warning('The empty statement has no new balance (record 8)'),
  totalWithoutDetails: warning('The total has no details'),
  detailWithoutLevel: warning('The globalisation level does not enclose the details'),
  informationReferenceOfDetail: warning('The reference is that of the first detail'),
  wrappedInformation: warning('A text is spread over many information records'),
  paperNumberRepeated: warning('The paper number is that of the statement before'),
  spacesInAccount: warning('There are spaces in the account number'),
  maskedCard: warning('The card number is masked with zeros'),
} as const satisfies Readonly<Record<string, FindingKind>>;

/** A code of the catalogue. */
export type CodaFindingCode = keyof typeof codaFindings;
