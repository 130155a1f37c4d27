import { countrySpecs, isValidIBAN } from 'ibantools';

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
