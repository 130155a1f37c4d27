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
