import { isValidIBAN } from 'ibantools';
import type { Brand } from './brand.js';

/** An IBAN as it is stored: without spaces, in upper case, check digits verified. */
export type Iban = Brand<string, 'Iban'>;

const FORM = /^[A-Z]{2}\d{2}[A-Z\d]+$/i;

/** Removes spaces and converts to upper case (§2.2), without checking the IBAN. */
export function normaliseIban(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

/**
 * Parses an IBAN of any country of the registry, with or without spaces, in upper or lower case.
 * The check digits of a Belgian account number are verified too; 00, 01 and 99, which are equal to
 * 97, 98 and 02 modulo 97, are refused, so that an account has one IBAN.
 *
 * @example parseIban('be71 0961 2345 6769') // 'BE71096123456769'
 * @returns undefined if the text is not a valid IBAN
 */
export function parseIban(text: string): Iban | undefined {
  const compact = text.replaceAll(/\s/g, '');
  // Checked before the conversion, which turns some other letters into A-Z.
  if (!FORM.test(compact)) return undefined;
  const iban = compact.toUpperCase();
  return isValidIBAN(iban) ? (iban as Iban) : undefined;
}

/** Formats an IBAN for people (ISO 13616): `BE71 0961 2345 6769`. */
export function formatIban(iban: string): string {
  return iban.replaceAll(/.{4}(?=.)/g, '$& ');
}
