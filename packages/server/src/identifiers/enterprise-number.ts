import type { Brand } from './brand.js';

/** A Belgian enterprise number as it is stored: its ten digits, check digits verified. */
export type EnterpriseNumber = Brand<string, 'EnterpriseNumber'>;

const DOTTED = /^([01]\d{3})\.(\d{3})\.(\d{3})$/;

/**
 * Parses an enterprise number in the form of §2.1. The last two digits are 97 minus the first eight
 * modulo 97. Eight zeros followed by 97 pass this check but are not a number.
 *
 * @example parseEnterpriseNumber('0403.019.261') // '0403019261'
 * @returns undefined if the form or the check digits are wrong
 */
export function parseEnterpriseNumber(text: string): EnterpriseNumber | undefined {
  const match = DOTTED.exec(text);
  if (match === null) return undefined;
  const digits = match.slice(1).join('');
  const base = Number(digits.slice(0, 8));
  const check = Number(digits.slice(8));
  return base > 0 && check === 97 - (base % 97) ? (digits as EnterpriseNumber) : undefined;
}

/** Removes the dots of the form of §2.1, without checking the number. */
export function normaliseEnterpriseNumber(text: string): string {
  return text.replaceAll('.', '');
}

/**
 * Formats stored digits in the form of §2.1.
 *
 * @example formatEnterpriseNumber('0403019261') // '0403.019.261'
 */
export function formatEnterpriseNumber(digits: string): string {
  return `${digits.slice(0, 4)}.${digits.slice(4, 7)}.${digits.slice(7)}`;
}
