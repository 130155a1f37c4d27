import { error, type Finding, type FindingKind, warning } from '../finding.js';

/** Everything the CODB reader can find. An error refuses the file, with all its bookings. */
export const codbFindings = {
  fileTooLarge: error('The file is larger than this reader accepts'),
  unknownEncoding: error('The file declares an encoding that is not read'),
  invalidEncoding: error('The file holds bytes that its encoding does not have'),
  malformedXml: error('The file is not well-formed XML'),
  forbiddenDoctype: error('A document type is not accepted'),
  forbiddenEntity: error('An entity is not accepted, other than the five predefined ones'),
  nestedTooDeep: error('Elements are nested deeper than this reader accepts'),
  tooManyElements: error('There are more elements than this reader accepts'),
  tagTooLong: error('A tag is longer than this reader accepts'),
  noBooking: error('The root holds no Social'),
  tooManyBookings: error('There are more bookings than this reader splits into files'),
  repeatedBooking: error('The file holds this booking twice'),
  missingElement: error('An element is missing or empty'),
  repeatedElement: error('An element stands twice'),
  textTooLong: error('A text is longer than this reader accepts'),
  sequenceNumber: error('SeqNumber is not an integer of at most nine digits'),
  date: error('This is no date (YYYY-MM-DD)'),
  enterpriseNumber: error('This is not BE and the ten digits of an enterprise number'),
  period: error('This is no month (YYYYMM)'),
  amount: error('This is no amount (1234.56)'),
  debitAndCredit: error('A line has an amount both in debit and in credit'),
  balance: error('Debits and credits differ'),

  encodingDeclaration: warning('The file is not written in the encoding it declares'),
  unknownVersion: warning('The version is not one that is known'),
  dateMissing: warning('GenDate is missing: the last day of AccountPeriod stands for it'),
  labelMissing: warning('A label is missing'),
  sideMissing: warning('Debit or Credit is missing and stands for 0.00'),
  negativeAmount: warning('The amount is negative'),
  amountDecimals: warning('The amount is not written with two decimals'),
  noLines: warning('The booking has no lines'),
  unknownElement: warning('The format has no such element'),
  unknownAttribute: warning('The format has no such attribute'),
  unexpectedText: warning('Text stands where only elements belong'),
} as const satisfies Readonly<Record<string, FindingKind>>;

/** A code of the catalogue. */
export type CodbFindingCode = keyof typeof codbFindings;

/** A finding in a CODB file: `record` is its line, `position` its column. */
export type CodbFinding = Finding<CodbFindingCode>;
