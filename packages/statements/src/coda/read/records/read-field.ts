import type { FindingList } from '../../finding-list.js';
import { calendarDate } from '../../format/calendar-date.js';
import type { CodaRecord } from './coda-record.js';

/** Reads a field of digits. Anything else is a finding, and reads as 0. */
export function readDigits(
  record: CodaRecord,
  from: number,
  to: number,
  findings: FindingList,
): number {
  const value = record.digits(from, to);
  if (value !== -1) return value;
  findings.add('digits', record.number, from, record.text(from, to));
  return 0;
}

/** True if an amount can be read: a sign, then 15 digits. */
export function isAmount(record: CodaRecord, signAt: number): boolean {
  const sign = record.digits(signAt, signAt);
  return (sign === 0 || sign === 1) && record.digits(signAt + 1, signAt + 15) !== -1;
}

/** Reads an amount in thousandths: the sign, 0 credit or 1 debit, then 15 digits. */
export function readAmount(record: CodaRecord, signAt: number, findings: FindingList): bigint {
  const from = signAt + 1;
  const thousandths = readDigits(record, from, from + 14, findings);
  if (thousandths % 10 !== 0) findings.add('thirdDecimal', record.number, from + 14);
  const sign = record.digits(signAt, signAt);
  if (sign !== 0 && sign !== 1) {
    findings.add('sign', record.number, signAt, record.text(signAt, signAt));
  }
  return BigInt(sign === 1 ? -thousandths : thousandths);
}

/** Reads a date (DDMMYY); undefined for 000000, and for an invalid date, which is a finding. */
export function readDate(
  record: CodaRecord,
  from: number,
  findings: FindingList,
): string | undefined {
  const digits = record.digits(from, from + 5);
  if (digits === 0) return undefined;
  const date = digits === -1 ? undefined : calendarDate(digits);
  if (date === undefined) {
    const code = digits === -1 ? 'digits' : 'date';
    findings.add(code, record.number, from, record.text(from, from + 5));
  }
  return date;
}

/** Reports a reserved field that is not blank. */
export function checkReserved(
  record: CodaRecord,
  from: number,
  to: number,
  findings: FindingList,
): void {
  const position = record.notBlank(from, to);
  if (position !== 0) findings.add('reservedPositions', record.number, position);
}
