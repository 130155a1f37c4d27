const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/;

/**
 * Verifies the check digits of an IBAN (ISO 13616, modulo 97), and those of the account number in a
 * Belgian one. The check digits 00, 01 and 99 are invalid although they can satisfy modulo 97.
 *
 * @example isValidIban('BE71096123456769') // true
 */
export function isValidIban(iban: string): boolean {
  if (!IBAN.test(iban)) return false;
  const body = modulo97(iban, 4, iban.length, 0);
  if (Number(iban.slice(2, 4)) !== checkDigitsOf(modulo97(iban, 0, 2, body))) return false;
  return !iban.startsWith('BE') || (iban.length === 16 && isValidBban(iban.slice(4)));
}

/**
 * Verifies the check digits of a Belgian account number or structured communication: the last two
 * digits are the first ten modulo 97, with 97 in place of 0.
 *
 * @example isValidBban('096123456769') // true
 */
export function isValidBban(digits: string): boolean {
  if (digits.length !== 12) return false;
  let body = 0;
  let check = 0;
  for (let index = 0; index < 12; index += 1) {
    const digit = digits.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return false;
    if (index < 10) body = body * 10 + digit;
    else check = check * 10 + digit;
  }
  return check === (body % 97 || 97);
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

/** The check digits of an IBAN, 2 to 98. @param remainder that of the account, then the country */
function checkDigitsOf(remainder: number): number {
  return 98 - ((remainder * 100) % 97);
}

/** Continues a remainder with part of a text. Letters count as 10 to 35. */
function modulo97(text: string, from: number, to: number, start: number): number {
  let remainder = start;
  for (let index = from; index < to; index += 1) {
    const unit = text.charCodeAt(index);
    remainder = (unit < 0x41 ? remainder * 10 + unit - 0x30 : remainder * 100 + unit - 0x37) % 97;
  }
  return remainder;
}
