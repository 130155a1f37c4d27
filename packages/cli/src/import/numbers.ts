import { isEnterpriseNumber } from '@adx/statements';
import { countrySpecs, isValidIBAN } from 'ibantools';

/**
 * Writes an enterprise number with dots. Spreadsheets leave out the first 0, after which no other
 * comes; pages have blanks that do not break.
 */
export function dotted(text: string): string {
  const compact = text.trim().replace(/^BE/i, '').replaceAll(/\s/g, '');
  const withZero = compact.replace(/^[1-9]\d\d\.?\d{3}\.?\d{3}$/, '0$&');
  const digits = withZero.replaceAll('.', '');
  return digits.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1.$2.$3');
}

/** Returns why a text is not an enterprise number, undefined if it is one. */
export function problemOfNumber(text: string): string | undefined {
  const digits = dotted(text).replaceAll('.', '');
  if (!/^[01]\d{9}$/.test(digits)) {
    return `${text} is not an enterprise number: that has ten digits, of which the first is 0 or 1`;
  }
  if (isEnterpriseNumber(digits)) return undefined;
  return `${text} is not an enterprise number: its check digits are wrong`;
}

/** Writes an IBAN without spaces, in capitals. */
export function compactIban(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

/** Returns why a text is not an IBAN, undefined if it is one. */
export function problemOfIban(text: string): string | undefined {
  const iban = compactIban(text);
  if (isValidIBAN(iban)) return undefined;
  const country = iban.slice(0, 2);
  const { chars, bban_regexp: form } = countrySpecs[country] ?? {};
  return `${text} is not an IBAN: ${reason()}`;

  function reason(): string {
    if (!chars) return 'it does not begin with a country that has IBANs, such as BE';
    if (iban.length !== chars)
      return `one of ${country} has ${chars} characters, and not ${iban.length}`;
    const isFormed = /^..\d\d/.test(iban) && new RegExp(form ?? '').test(iban.slice(4));
    return isFormed
      ? 'its check digits are wrong'
      : 'it has a letter or a sign in the place of a digit';
  }
}
