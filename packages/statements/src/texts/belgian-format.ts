import { formatFixedPoint } from '../amount.js';

/**
 * Formats an amount as in Belgium: `1.234,56`, with a third decimal only if it is not 0.
 *
 * @param thousandths in thousandths of its currency
 * @param sign `always` adds a plus sign to positive amounts
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
 * Formats a fixed-point number as in Belgium: a decimal comma, and points between thousands.
 *
 * @example formatDecimal(123456n, 2) // '1.234,56'
 */
export function formatDecimal(value: bigint, decimals: number): string {
  const [whole = '', fraction] = formatFixedPoint(value, decimals).split('.');
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, '.')},${fraction}`;
}

/** @param date `YYYY-MM-DD` @returns `DD/MM/YYYY` */
export function formatDate(date: string): string {
  return date.split('-').reverse().join('/');
}

/** @param period `YYYYMM` @returns `MM/YYYY` */
export function formatPeriod(period: string): string {
  return `${period.slice(4)}/${period.slice(0, 4)}`;
}

/** Formats an IBAN or creditor reference in groups of four; leaves other numbers unchanged. */
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
