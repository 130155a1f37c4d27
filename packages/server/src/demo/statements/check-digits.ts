/** The last two of twelve digits, in account numbers and structured communications: 01 to 97. */
function twelveDigits(tenDigits: string): string {
  const rest = Number(BigInt(tenDigits) % 97n);
  return `${tenDigits}${String(rest === 0 ? 97 : rest).padStart(2, '0')}`;
}

/** A structured communication of a number of at most ten digits, without its signs. */
export function structuredReference(number: number): string {
  return twelveDigits(String(number).padStart(10, '0'));
}

/**
 * The IBAN of a made-up account at a real bank. With a number below 100 there are five zeros behind
 * the bank code: nobody has it, and none of the demo's own customers either.
 *
 * @param bankCode - three digits
 */
export function madeUpIban(bankCode: string, number: number): string {
  const bban = twelveDigits(`${bankCode}${String(number).padStart(7, '0')}`);
  // BE00 behind it, letters counted from A = 10.
  const check = 98n - (BigInt(`${bban}111400`) % 97n);
  return `BE${String(check).padStart(2, '0')}${bban}`;
}
