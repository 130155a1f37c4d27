/** What a text in a `Debit` or `Credit` stands for. */
export interface PayrollAmount {
  /** Thousandths of a euro. */
  readonly thousandths: bigint;
  /** The format writes two; others are read all the same. */
  readonly hasTwoDecimals: boolean;
}

/**
 * Reads an amount with a decimal point and at most two decimals. Three are not accepted: the point
 * of `1.234` may as well part thousands.
 */
export function parsePayrollAmount(text: string): PayrollAmount | undefined {
  const found = /^(-?)(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text);
  if (!found) return undefined;
  const [, sign, euros = '', decimals = ''] = found;
  const size = BigInt(euros) * 1000n + BigInt(decimals.padEnd(3, '0'));
  return { thousandths: sign ? -size : size, hasTwoDecimals: decimals.length === 2 };
}

/**
 * Writes an amount with a decimal point and two decimals.
 *
 * @throws {RangeError} for an amount that has a third decimal
 */
export function formatPayrollAmount(thousandths: bigint): string {
  if (thousandths % 10n !== 0n) {
    throw new RangeError(`A payroll amount has two decimals, this one has three: ${thousandths}`);
  }
  const size = thousandths < 0n ? -thousandths : thousandths;
  const decimals = `${(size % 1000n) / 10n}`.padStart(2, '0');
  return `${thousandths < 0n ? '-' : ''}${size / 1000n}.${decimals}`;
}

/** Whether this is YYYYMM, with a month that exists. */
export function isPeriod(text: string): boolean {
  return /^(?:19|20)\d\d(?:0[1-9]|1[0-2])$/.test(text);
}

/** Whether this is YYYY-MM-DD, with a day that exists. */
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
 * Whether these are the ten digits of a Belgian enterprise number: it begins with 0 or 1, and its
 * last two digits are 97 less the remainder of the first eight by 97, from 01 to 97.
 */
export function isEnterpriseNumber(digits: string): boolean {
  if (!/^[01]\d{9}$/.test(digits)) return false;
  const base = Number(digits.slice(0, 8));
  return base > 0 && Number(digits.slice(8)) === 97 - (base % 97);
}
