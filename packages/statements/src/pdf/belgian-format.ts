/**
 * An amount as Belgium writes it: `1.234,56`, with a third decimal where it is not 0.
 *
 * @param thousandths of its currency
 * @param sign `always` writes a plus sign too
 * @example formatAmount(-1234560n) // '-1.234,56'
 */
export function formatAmount(
  thousandths: bigint,
  sign: 'negative' | 'always' = 'negative',
): string {
  const plus = sign === 'always' && thousandths > 0n ? '+' : '';
  return plus + formatDecimal(thousandths, 3).replace(/(,\d\d)0$/, '$1');
}

/**
 * A decimal as Belgium writes it, thousands parted by points, with all its decimals.
 *
 * @example formatDecimal(123456n, 2) // '1.234,56'
 */
export function formatDecimal(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals).replace(/\B(?=(?:\d{3})+$)/g, '.');
  return `${value < 0n ? '-' : ''}${whole},${digits.slice(-decimals)}`;
}

/** @param date `YYYY-MM-DD` @returns `DD/MM/YYYY` */
export function formatDate(date: string): string {
  return date.split('-').reverse().join('/');
}

/** @param period `YYYYMM` @returns `MM/YYYY` */
export function formatPeriod(period: string): string {
  return `${period.slice(4)}/${period.slice(0, 4)}`;
}

/** An IBAN or a creditor reference in groups of four; another number as it is. */
export function formatAccount(account: string): string {
  return /^[A-Z]{2}\d{2}[A-Z\d]+$/.test(account) ? account.replace(/(.{4})(?=.)/g, '$1 ') : account;
}

/** @param digits ten @returns `0403.019.261` */
export function formatEnterpriseNumber(digits: string): string {
  return digits.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1.$2.$3');
}

/** @param digits twelve @returns `+++090/9337/55493+++` */
export function formatStructuredReference(digits: string): string {
  return digits.replace(/^(\d{3})(\d{4})(\d{5})$/, '+++$1/$2/$3+++');
}
