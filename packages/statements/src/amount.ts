/**
 * Formats an amount with all three decimals.
 *
 * @param thousandths the amount in thousandths of its currency, negative for a debit
 * @example formatThousandths(-1234500n) // '-1234.500'
 */
export function formatThousandths(thousandths: bigint): string {
  return formatFixedPoint(thousandths, 3);
}

/**
 * Formats a fixed-point number with a decimal point.
 *
 * @param value the number times ten to the power of `decimals`
 * @example formatFixedPoint(-5n, 2) // '-0.05'
 */
export function formatFixedPoint(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The decimals of fields that are not amounts. */
const decimals: Readonly<Record<string, number>> = {
  rate: 8,
  percentage: 8,
  interestRate: 8,
  volume: 2,
  quantity: 4,
  price: 4,
};

/** Returns the number of decimals of a numeric field: 3 for an amount. */
export function decimalsOf(field: string): number {
  return decimals[field] ?? 3;
}
