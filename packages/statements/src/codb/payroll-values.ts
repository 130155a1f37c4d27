import { formatFixedPoint } from '../amount.js';

/** The amount of a `Debit` or `Credit`. */
export interface PayrollAmount {
  /** Thousandths of a euro. */
  readonly thousandths: bigint;
  /** The format has two decimals; fewer are accepted. */
  readonly hasTwoDecimals: boolean;
}

/**
 * Parses an amount with a decimal point and at most two decimals. Three are not accepted: the point
 * of `1.234` could separate thousands.
 */
export function parsePayrollAmount(text: string): PayrollAmount | undefined {
  const found = /^(-?)(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text);
  if (!found) return undefined;
  const [, sign, euros = '', decimals = ''] = found;
  const size = BigInt(euros) * 1000n + BigInt(decimals.padEnd(3, '0'));
  return { thousandths: sign ? -size : size, hasTwoDecimals: decimals.length === 2 };
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

/** True for a valid date YYYY-MM-DD. */
export function isDate(text: string): boolean {
  if (!/^(?:19|20)\d\d-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The last day of a month. @param period YYYYMM @returns YYYY-MM-DD */
export function lastDayOf(period: string): string {
  const year = Number(period.slice(0, 4));
  const month = Number(period.slice(4));
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
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
