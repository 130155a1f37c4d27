/** Banks write `NOTPROVIDED` where a payment has no end-to-end reference. */
const notProvided = /\bNOT ?PROVIDED\b[ ,;]*/i;

/** Words of labels without accents, such as `Referentie opdrachtgever`, `Identification du creancier` or `E2E`. */
const labelWord =
  /^(?:[A-Z-]*(?:REF|MANDA|CREDIT|CREANC|SCHULDEIS|GLAUBIG|DEBIT|DEBT|IDENTIFI|NUMMER|NUMER|NUMBER|ORDRE|OPDRACHT|AUFTRAG|CUSTOMER|KLANT|CLIENT|KUND)[A-Z-]*|D[’']ORDRE|DONNEUR|E2E|END|TO|ID|NR|D[EU]S?|DER|LA|LE|VAN|THE|OF|YOUR|UW|VOTRE|IHRE?)[.:]?$/i;

/**
 * Removes what banks write into a field that must not be empty: zeros, also as an account of zeros, and
 * NOTPROVIDED with its label, which is one word before a colon, and the words of labels before it.
 *
 * @example givenText('MANDAAT: M-1 REFERENTIE: NOTPROVIDED') // 'MANDAAT: M-1'
 */
export function givenText(text: string): string {
  const parts = text.split(notProvided);
  const last = parts.pop() ?? '';
  const given = (parts.map(withoutLabel).join('') + last).trim();
  return /^(?:[A-Z]{2})?0[0 ]*$/.test(given) ? '' : given;
}

function withoutLabel(text: string): string {
  const words = text.trimEnd().replace(/ :$/, ':').split(' ');
  if (/^\p{L}{1,40}:$/u.test(words.at(-1) ?? '')) words.pop();
  while (isLabelWord(words.at(-1) ?? '')) words.pop();
  return words.map((word) => `${word} `).join('');
}

function isLabelWord(word: string): boolean {
  return word.length < 41 && labelWord.test(word.normalize('NFD').replace(/\p{M}/gu, ''));
}

/** Returns the texts that say something. */
export function givenTexts(texts: readonly string[]): string[] {
  return texts.map(givenText).filter((text) => text !== '');
}
