import { formatFixedPoint } from '../amount.js';

/** The amount of a `Debit` or `Credit`. */
export interface PayrollAmount {
  /** Thousandths of a euro. */
  readonly thousandths: bigint;
  /** The format has two decimals; other forms are accepted. */
  readonly hasTwoDecimals: boolean;
}

/**
 * Parses an amount in any form of `xs:decimal`, such as `+1650.00`, `1650.000` or `.50`. A third
 * decimal that is not 0 is not accepted, and neither are `1.234` and `1.000`, whose point could
 * separate thousands.
 */
export function parsePayrollAmount(text: string): PayrollAmount | undefined {
  const found = /^([+-]?)0*(\d{0,12})(?:\.(\d{0,2})(0*))?$/.exec(text);
  const isAmbiguous = /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(text);
  if (!found || isAmbiguous || !/\d/.test(text)) return undefined;
  const [, sign, euros = '', decimals = '', more = ''] = found;
  const size = BigInt(euros) * 1000n + BigInt(decimals.padEnd(3, '0'));
  const hasTwoDecimals = /^-?\d+\.\d\d$/.test(text) && more === '';
  return { thousandths: sign === '-' ? -size : size, hasTwoDecimals };
}

/**
 * Formats an amount with a decimal point and two decimals.
 *
 * @throws {RangeError} if the amount has a third decimal
 */
export function formatPayrollAmount(thousandths: bigint): string {
  if (thousandths % 10n !== 0n) {
    throw new RangeError(`A payroll amount has two decimals, not three: ${thousandths}`);
  }
  return formatFixedPoint(thousandths / 10n, 2);
}

/** Returns true for a valid month YYYYMM. */
export function isPeriod(text: string): boolean {
  return /^(?:19|20)\d\d(?:0[1-9]|1[0-2])$/.test(text);
}

/** A date of `xs:date`, whose time zone is at most 14 hours. */
const DATE = /^((?:19|20)\d\d-\d\d-\d\d)(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))?$/;

/** Parses a date in any form of `xs:date`, YYYY-MM-DD possibly with a time zone. */
export function parseDate(text: string): string | undefined {
  const [, day] = DATE.exec(text) ?? [];
  const date = new Date(`${day}T00:00:00Z`);
  if (day === undefined || Number.isNaN(date.getTime())) return undefined;
  return date.toISOString().startsWith(day) ? day : undefined;
}

/** Returns the last day of a month, `YYYY-MM-DD`. @param period YYYYMM */
export function lastDayOf(period: string): string {
  const year = Number(period.slice(0, 4));
  const month = Number(period.slice(4));
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** Text before the VAT number of another country, or with the number of an employer. */
const OTHER_NUMBER =
  /(?<!\p{L})(?:(?:ONSS|RSZ)(?!\p{L})|(?:AT|BG|CHE?|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)\P{L}*$)/u;

/**
 * Returns the digits of an enterprise number as it is written on letters, with any text around it:
 * `BE 0403.019.261`, `RPM Bruxelles 0403 019 261`, or with nine digits, as until 2005. Returns ''
 * if there are digits elsewhere in the text, or it names another kind of number.
 */
export function digitsOfEnterpriseNumber(text: string): string {
  const [, before = '', number = ''] =
    // A long text is none, and would take the whole stack.
    /^(\P{N}*)(\d(?:[^\p{L}\p{N}]*\d)*)\P{N}*$/u.exec(text.slice(0, 1000).toUpperCase()) ?? [];
  if (OTHER_NUMBER.test(before)) return '';
  const digits = number.replaceAll(/\D/g, '');
  return digits.length === 9 ? `0${digits}` : digits;
}

/**
 * Verifies the ten digits of a Belgian enterprise number: it begins with 0 or 1, and its last two
 * digits are 97 minus the first eight modulo 97, from 01 to 97.
 */
export function isEnterpriseNumber(digits: string): boolean {
  if (!/^[01]\d{9}$/.test(digits)) return false;
  const base = Number(digits.slice(0, 8));
  return base > 0 && Number(digits.slice(8)) === 97 - (base % 97);
}
