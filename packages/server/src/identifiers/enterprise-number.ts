import { isEnterpriseNumber } from '@adx/statements';
import type { Brand } from './brand.js';

/** A Belgian enterprise number as it is stored: its ten digits, check digits verified. */
export type EnterpriseNumber = Brand<string, 'EnterpriseNumber'>;

const DOTTED = /^\d{4}\.\d{3}\.\d{3}$/;

/**
 * Parses the form of §2.1; returns undefined if it or the check digits are wrong.
 *
 * @example parseEnterpriseNumber('0403.019.261') // '0403019261'
 */
export function parseEnterpriseNumber(text: string): EnterpriseNumber | undefined {
  const digits = normaliseEnterpriseNumber(text);
  const isOne = DOTTED.test(text) && isEnterpriseNumber(digits);
  return isOne ? (digits as EnterpriseNumber) : undefined;
}

/** Removes the dots of the form of §2.1, without checking the number. */
export function normaliseEnterpriseNumber(text: string): string {
  return text.replaceAll('.', '');
}

/** @example formatEnterpriseNumber('0403019261') // '0403.019.261' */
export function formatEnterpriseNumber(digits: string): string {
  return `${digits.slice(0, 4)}.${digits.slice(4, 7)}.${digits.slice(7)}`;
}
