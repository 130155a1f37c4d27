import { error, type Finding, type FindingKind, warning } from '../../finding.js';

/**
 * The findings of the CODB reader, by code. A file with an error is refused with all its bookings.
 */
export const codbFindings = {
  fileTooLarge: error('The file exceeds the size limit'),
  unknownEncoding: error('The file declares an encoding that is not supported'),
  invalidEncoding: error('The file contains bytes that are invalid in its encoding'),
  malformedXml: error('The file is not well-formed XML'),
  forbiddenDoctype: error('Document type declarations are not accepted'),
  forbiddenEntity: error('Only the five predefined entities are accepted'),
  nestedTooDeep: error('The elements are nested too deeply'),
  tooManyElements: error('The file has too many elements'),
  tagTooLong: error('The tag is too long'),
  noBooking: error('The root element has no Social element'),
  tooManyBookings: error('The file has too many bookings to be split'),
  repeatedBooking: error('The file contains this booking twice'),
  missingElement: error('The element is missing or empty'),
  repeatedElement: error('The element is repeated'),
  textTooLong: error('The text is too long'),
  sequenceNumber: error('SeqNumber is not an integer from 0 to 9007199254740991'),
  date: error('Invalid date (YYYY-MM-DD)'),
  enterpriseNumber: error('Invalid enterprise number'),
  period: error('Invalid month (YYYYMM)'),
  amount: error('Invalid amount (1234.56)'),
  debitAndCredit: error('The line has both a debit and a credit'),
  balance: error('The sum of debits is not that of credits'),

  encodingDeclaration: warning('The file is not in the encoding that it declares'),
  replacementCharacter: warning('A character was lost before this file was made (U+FFFD)'),
  enterpriseNumberForm: warning('The enterprise number is not written as BE and ten digits'),
  unknownVersion: warning('The version of the format is unknown'),
  dateMissing: warning('GenDate is missing; the last day of AccountPeriod is used'),
  labelMissing: warning('The label is missing'),
  sideMissing: warning('Debit or Credit is missing and counts as 0.00'),
  negativeAmount: warning('The amount is negative'),
  amountDecimals: warning('The amount does not have two decimals'),
  noLines: warning('The booking has no lines'),
  unknownElement: warning('The format does not define this element'),
  unknownAttribute: warning('The format does not define this attribute'),
  unexpectedText: warning('Text where only elements are allowed'),
} as const satisfies Readonly<Record<string, FindingKind>>;

/** A code of the catalogue. */
export type CodbFindingCode = keyof typeof codbFindings;

/** A finding in a CODB file: `record` is its line, `position` its column. */
export type CodbFinding = Finding<CodbFindingCode>;
