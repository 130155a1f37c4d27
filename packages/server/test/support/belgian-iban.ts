/** Returns the Belgian IBAN of the first ten digits of an account number, with both pairs of check digits. */
export function belgianIban(tenDigits: string): string {
  const bban = `${tenDigits}${twoDigits(Number(tenDigits) % 97 || 97)}`;
  return `BE${ibanCheckDigits(bban)}${bban}`;
}

let accounts = 0;

/** Returns a Belgian IBAN that is unique in this process; by default one of Belfius. */
export function newIban(bankCode = '096'): string {
  accounts += 1;
  return belgianIban(`${bankCode}${String(accounts).padStart(7, '0')}`);
}

/** ISO 7064: 98 minus the account number followed by BE00 (11 14 00) modulo 97. */
export function ibanCheckDigits(bban: string): string {
  return twoDigits(Number(98n - (BigInt(`${bban}111400`) % 97n)));
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
