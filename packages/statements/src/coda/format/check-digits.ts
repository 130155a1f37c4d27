import { countrySpecs } from 'ibantools';

/** The length of the IBANs of each country that has any (ISO 13616). */
const lengths = new Map(
  Object.entries(countrySpecs).map(([code, { chars }]) => [countryOf(code), chars]),
);

/** Returns the first two characters of a text as a number. */
function countryOf(text: string): number {
  return text.charCodeAt(0) * 0x10000 + text.charCodeAt(1);
}

/**
 * Verifies an IBAN (ISO 13616): the length, which each country has set, the check digits (modulo
 * 97), and those of the account number in a Belgian one.
 *
 * @example isValidIban('BE71096123456769') // true
 */
export function isValidIban(iban: string): boolean {
  const { length } = iban;
  if (lengths.get(countryOf(iban)) !== length || !hasCheckDigits(iban)) return false;
  return !iban.startsWith('BE') || isBbanAt(iban, 4);
}

/**
 * Returns the IBAN that a text is in upper case, if any.
 *
 * @example ibanOf('be71096123456769') // 'BE71096123456769'
 */
export function ibanOf(text: string): string | undefined {
  if (isValidIban(text)) return text;
  if (!/^[a-z]{2}\d/i.test(text)) return undefined;
  const iban = text.toUpperCase();
  return iban !== text && isValidIban(iban) ? iban : undefined;
}

/**
 * Returns true if a text starts like an IBAN of a country that has them, and is none.
 *
 * @example isWrongIban('BE72096123456769') // true
 */
export function isWrongIban(text: string): boolean {
  const isMeant = /^[A-Z]{2}\d\d/.test(text) && typeof lengths.get(countryOf(text)) === 'number';
  return isMeant && !isValidIban(text);
}

/**
 * Verifies the check digits of a creditor's reference (ISO 11649), without spaces.
 *
 * @example isValidCreditorReference('RF18539007547034') // true
 */
export function isValidCreditorReference(reference: string): boolean {
  return /^RF\d\d[A-Z\d]{1,21}$/.test(reference) && hasCheckDigits(reference);
}

/** Returns true if the third and fourth characters of a text are its check digits, modulo 97. */
function hasCheckDigits(text: string): boolean {
  const remainder = modulo97(text, 0, 2, modulo97(text, 4, text.length, 0));
  return 10 * digitAt(text, 2) + digitAt(text, 3) === checkDigitsOf(remainder);
}

/**
 * Verifies the check digits of a Belgian account number or structured communication: the last two
 * digits are the first ten modulo 97, with 97 in place of 0.
 *
 * @example isValidBban('096123456769') // true
 */
export function isValidBban(digits: string): boolean {
  return digits.length === 12 && isBbanAt(digits, 0);
}

function isBbanAt(text: string, from: number): boolean {
  let body = 0;
  for (let index = from; index < from + 10; index += 1) body = 10 * body + digitAt(text, index);
  const check = 10 * digitAt(text, from + 10) + digitAt(text, from + 11);
  const remainder = body % 97;
  return check === (remainder === 0 ? 97 : remainder);
}

/**
 * Derives the IBAN of a Belgian account number.
 *
 * @example ibanOfBban('096123456769') // 'BE71096123456769'
 */
export function ibanOfBban(bban: string): string {
  const check = checkDigitsOf(modulo97('BE', 0, 2, modulo97(bban, 0, bban.length, 0)));
  return `BE${String(check).padStart(2, '0')}${bban}`;
}

/**
 * Returns the check digits of an IBAN, 2 to 98.
 *
 * @param remainder that of the account, then the country
 */
function checkDigitsOf(remainder: number): number {
  return 98 - ((remainder * 100) % 97);
}

/**
 * Continues a remainder with part of a text of digits, and of capitals, which count as 10 to 35. It
 * is NaN after any other character.
 */
function modulo97(text: string, from: number, to: number, start: number): number {
  let remainder = start;
  for (let index = from; index < to; index += 1) {
    remainder = isLetter(text, index)
      ? (remainder * 100 + text.charCodeAt(index) - 0x37) % 97
      : (remainder * 10 + digitAt(text, index)) % 97;
  }
  return remainder;
}

function isLetter(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0x41 && unit <= 0x5a;
}

/** Returns the digit at a position, NaN for any other character. */
function digitAt(text: string, index: number): number {
  const digit = text.charCodeAt(index) - 0x30;
  return digit >= 0 && digit <= 9 ? digit : Number.NaN;
}
