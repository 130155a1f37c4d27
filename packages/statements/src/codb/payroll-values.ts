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
 * decimal that is not 0 is not accepted: the point of `1.234` could separate thousands.
 */
export function parsePayrollAmount(text: string): PayrollAmount | undefined {
  const found = /^([+-]?)0*(\d{0,12})(?:\.(\d{0,2})(0*))?$/.exec(text);
  if (!found || !/\d/.test(text)) return undefined;
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

/** True for a valid month YYYYMM. */
export function isPeriod(text: string): boolean {
  return /^(?:19|20)\d\d(?:0[1-9]|1[0-2])$/.test(text);
}

/** Parses a date in any form of `xs:date`, YYYY-MM-DD possibly with a time zone. */
export function parseDate(text: string): string | undefined {
  const [, day] = /^((?:19|20)\d\d-\d\d-\d\d)(?:Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const date = new Date(`${day}T00:00:00Z`);
  if (day === undefined || Number.isNaN(date.getTime())) return undefined;
  return date.toISOString().startsWith(day) ? day : undefined;
}

/** The last day of a month. @param period YYYYMM @returns YYYY-MM-DD */
export function lastDayOf(period: string): string {
  const year = Number(period.slice(0, 4));
  const month = Number(period.slice(4));
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/**
 * Returns the digits of an enterprise number as it is written on letters: `BE 0403.019.261`,
 * `TVA BE-0403 019 261`, or with nine digits, as until 2005.
 */
export function digitsOfEnterpriseNumber(text: string): string {
  const compact = text.toUpperCase().replaceAll(/[^\p{L}\d]/gu, '');
  const digits = compact.replace(/^(?:TVA|BTW|VAT|MWST)?(?:BE)?/, '');
  return /^\d{9}$/.test(digits) ? `0${digits}` : digits;
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
