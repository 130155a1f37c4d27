import { error, type FindingKind, warning } from '../finding.js';

/** The findings of the CODA reader, by code. A statement with an error is refused. */
export const codaFindings = {
  emptyFile: error('The file contains no statement'),
  headerMissing: error('These lines belong to no statement: the header (record type 0) is missing'),
  statementTooLarge: error('The statement exceeds the size limit'),
  encodingUnsupported: error(
    'The file was converted into an encoding in which no bank delivers: transfer it unchanged',
  ),
  lineLength: error('The record does not have 128 characters'),
  recordType: error('Unknown record type'),
  recordOrder: error('This record is not allowed here'),
  trailerMissing: error('The trailer (record type 9) is missing'),
  newBalanceMissing: error(
    'The new balance (record type 8) is missing although there are movements',
  ),
  headerConstant: error('The header does not have the constant that belongs here'),
  version1: error('CODA version 1, which ended in 2007, is not supported'),
  version: error('The version is not 2'),
  digits: error('Only digits are allowed here'),
  date: error('Invalid date (DDMMYY)'),
  accountStructure: error('The account structure is not 0, 1, 2 or 3'),
  sign: error('The sign is neither 0 (credit) nor 1 (debit)'),
  communicationFlag: error('The communication flag is neither 0 (free) nor 1 (structured)'),
  sequenceNumber: error('The sequence number does not follow the previous one'),
  detailNumber: error('The detail number does not follow the previous one'),
  continuationKey: error(
    'The sequence and detail numbers differ from those of the continued record',
  ),
  nextCode: error('The next code does not match the record that follows'),
  linkCode: error('The link code does not match the record that follows'),
  accountMismatch: error('The old and the new balance are of different accounts'),
  currencyMismatch: error('The old and the new balance are in different currencies'),
  balance: error('The old balance and the movements do not add up to the new balance'),
  trailerCount: error('The trailer has a wrong count of the records of types 1, 2, 3 and 8'),
  trailerDebitTotal: error('The debit total in the trailer is wrong'),
  trailerCreditTotal: error('The credit total in the trailer is wrong'),
  ibanCheckDigits: error('The length or the check digits of the IBAN are wrong'),
  bbanCheckDigits: error('The check digits of the account number are wrong'),
  multipleFileCode: error('The multiple-file code is neither 1 nor 2'),

  unknownTransactionCode: warning('The transaction code is not in the standard'),
  unknownCategory: warning('The transaction category is not in the standard'),
  unknownCommunicationType: warning('The communication type is not in the standard'),
  communicationCheckDigits: warning('The check digits of the communication are wrong'),
  communicationField: warning('A field of the communication cannot be read'),
  detailSum: warning('The details do not add up to their total'),
  informationReference: warning('The reference differs from that of the movement'),
  informationTransactionCode: warning('The transaction code differs from that of the movement'),
  statementNumberGap: warning('Statement numbers are missing before this one'),
  oldBalanceGap: warning('The old balance differs from the new balance of the previous statement'),
  statementRepeated: warning('This statement, or an earlier version of it, was there before'),
  duplicate: warning('The bank marked this statement as a duplicate'),
  thirdDecimal: warning('The third decimal of the amount is not 0'),
  bicOfAnotherBank: warning('The BIC is not that of the bank that holds the account'),
  counterpartyIban: warning(
    'The account looks like an IBAN, but its length or check digits are wrong',
  ),
  rTransaction: warning('The R-transaction type is not in the standard'),
  reservedPositions: warning('Reserved positions are not blank'),
  freeCommunicationNumber: warning(
    'The number of the free communication does not follow the previous one',
  ),
  blankLine: warning('There are blank lines or control characters outside the records'),
  lineEnd: warning(
    'The line ends with several carriage returns, or with the end-of-file mark of DOS (1A)',
  ),
  lineEndMissing: warning('The next record follows without a line end'),
  trailingBlanks: warning('The record has blanks after its 128 characters'),
  byteOrderMark: warning('The file starts with a byte order mark'),
  replacementCharacter: warning('A character was lost before this file was made (U+FFFD)'),

  headerFieldBlank: warning('The field of the header has blanks in place of digits'),
  lastThoughFollowed: warning(
    'The trailer says that this statement is the last, but another one follows',
  ),
  trailerNotLast: warning(
    'The trailer says that another statement follows, but this one is the last',
  ),
  trailerCut: warning('The trailer is truncated after its totals'),
  accountStructureBlank: warning(
    'The account structure is blank and was derived from the account number',
  ),
  transactionCodeZero: warning('The transaction code is 00000000'),
  paperNumberIsDayOfYear: warning('The paper number is the day of the year'),
  entryDateZero: warning('The entry date is 000000'),
  newBalanceDateZero: warning('The new balance date is 000000'),
  newBalanceAbsent: warning('The empty statement has no new balance (record type 8)'),
  totalWithoutDetails: warning('The total has no details'),
  detailWithoutLevel: warning('The globalisation level does not delimit the details'),
  informationReferenceOfDetail: warning(
    'The reference is that of the first detail, not of the movement',
  ),
  informationNumberRepeated: warning(
    'The detail number is that of the previous record, not the next one',
  ),
  wrappedInformation: warning('A text is wrapped over many information records'),
  paperNumberRepeated: warning('The paper number is that of the previous statement'),
  ibanAsOtherNumber: warning('The account structure is that of another number, but it is an IBAN'),
  spacesInAccount: warning('The account number contains spaces'),
  maskedCard: warning('The card number is masked with zeros'),
} as const satisfies Readonly<Record<string, FindingKind>>;

/** A code of the catalogue. */
export type CodaFindingCode = keyof typeof codaFindings;
