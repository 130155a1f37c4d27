import { isValidIBAN } from 'ibantools';
import type { Brand } from './brand.js';

/** An IBAN as it is stored: without spaces, in capitals, its check digits verified. */
export type Iban = Brand<string, 'Iban'>;

const FORM = /^[A-Z]{2}\d{2}[A-Z\d]+$/i;

/** Spaces removed and letters uppercased (§2.2), whether or not the result is an IBAN. */
export function normaliseIban(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

/**
 * Reads an IBAN of any country of the IBAN registry, with or without spaces, in any case; for a
 * Belgian one the check digits of its account number are verified too. Check digits 00, 01 and 99,
 * which satisfy modulo 97 wherever 97, 98 and 02 do, are refused: an account has one IBAN.
 *
 * @example parseIban('be71 0961 2345 6769') // 'BE71096123456769'
 * @returns undefined where it is not a valid IBAN
 */
export function parseIban(text: string): Iban | undefined {
  const compact = text.replaceAll(/\s/g, '');
  // Before uppercasing, which turns some letters outside A-Z into letters of A-Z.
  if (!FORM.test(compact)) return undefined;
  const iban = compact.toUpperCase();
  return isValidIBAN(iban) ? (iban as Iban) : undefined;
}

/** An IBAN as people read it (ISO 13616): `BE71 0961 2345 6769`. */
export function groupedIban(iban: string): string {
  return iban.replaceAll(/.{4}(?=.)/g, '$& ');
}
