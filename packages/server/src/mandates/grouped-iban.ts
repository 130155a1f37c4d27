/** An IBAN as people read it (ISO 13616): `BE71 0961 2345 6769`. */
export function groupedIban(iban: string): string {
  return iban.replaceAll(/.{4}(?=.)/g, '$& ');
}
