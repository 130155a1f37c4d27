import { randomBytes } from 'node:crypto';

/**
 * Returns the enterprise number at a place of the sequence, with correct check digits (97 minus the
 * first eight digits modulo 97).
 *
 * @example enterpriseNumber(1) // '0200.000.142'
 */
export function enterpriseNumber(sequence: number): string {
  return enterpriseNumberOf(2_000_000 + sequence);
}

export function enterpriseNumberOf(base: number): string {
  const digits = `${pad(base, 8)}${pad(97 - (base % 97), 2)}`;
  return `${digits.slice(0, 4)}.${digits.slice(4, 7)}.${digits.slice(7)}`;
}

/**
 * Returns the Belgian IBAN at a place of the sequence, with correct check digits.
 *
 * @param bankCode national bank code; 096 is Belfius
 */
export function belgianIban(sequence: number, bankCode = '096'): string {
  return ibanOf(`${bankCode}${pad(sequence, 7)}`);
}

/** Returns the Belgian IBAN of ten digits, with both pairs of check digits. */
export function ibanOf(tenDigits: string): string {
  const bban = `${tenDigits}${pad(Number(tenDigits) % 97 || 97, 2)}`;
  return `BE${ibanCheckDigits(bban)}${bban}`;
}

/** Returns 98 minus the account number and BE00 (11 14 00) modulo 97 (ISO 13616). */
export function ibanCheckDigits(bban: string): string {
  return pad(Number(98n - (BigInt(`${bban}111400`) % 97n)), 2);
}

let issued = 0;
/** Returns a place of the sequences that is unused in this test file. */
function nextSequence(): number {
  issued += 1;
  return issued;
}

/** Returns an enterprise number that is unused in this test file. */
export function newEnterpriseNumber(): string {
  return enterpriseNumber(nextSequence());
}

/** Returns a Belgian IBAN that is unused in this test file. */
export function newIban(bankCode?: string): string {
  return belgianIban(nextSequence(), bankCode);
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

/** Returns an unknown identifier: its first four bytes are a time in the far future. */
export const absentId = () => `ffff${randomBytes(10).toString('hex')}`;
