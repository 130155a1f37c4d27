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
