import { isEnterpriseNumber } from '@adx/statements';

/**
 * Writes an enterprise number with dots. Spreadsheets leave out the first 0; pages have blanks that
 * do not break.
 */
export function dotted(text: string): string {
  const digits = text.trim().replace(/^BE/i, '').replaceAll(/[.\s]/g, '');
  const withZero = digits.replace(/^\d{9}$/, '0$&');
  return withZero.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1.$2.$3');
}

/** Returns why a text is not an enterprise number, undefined if it is one. */
export function problemOfNumber(text: string): string | undefined {
  const digits = dotted(text).replaceAll('.', '');
  if (!/^[01]\d{9}$/.test(digits)) {
    return `${text} is not an enterprise number: that has ten digits, of which the first is 0 or 1`;
  }
  if (isEnterpriseNumber(digits)) return undefined;
  return `${text} is not an enterprise number: its check digits are wrong`;
}
