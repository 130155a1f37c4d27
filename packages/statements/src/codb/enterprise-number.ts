/**
 * Whether these are the ten digits of a Belgian enterprise number: it begins with 0 or 1, and its
 * last two digits are 97 less the remainder of the first eight by 97, from 01 to 97.
 */
export function isEnterpriseNumber(digits: string): boolean {
  if (!/^[01]\d{9}$/.test(digits)) return false;
  const base = Number(digits.slice(0, 8));
  return base > 0 && Number(digits.slice(8)) === 97 - (base % 97);
}
