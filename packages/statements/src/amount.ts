/**
 * An amount as text, with all three decimals.
 *
 * @param thousandths the amount in thousandths of its currency, negative for a debit
 * @example formatThousandths(-1234500n) // '-1234.500'
 */
export function formatThousandths(thousandths: bigint): string {
  const digits = (thousandths < 0n ? -thousandths : thousandths).toString().padStart(4, '0');
  return `${thousandths < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}
