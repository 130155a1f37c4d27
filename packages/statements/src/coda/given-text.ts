/**
 * Removes what banks write into a field that must not be empty: zeros, also as an account of zeros, and
 * NOTPROVIDED, the end-to-end reference of a payment without one.
 */
export function givenText(text: string): string {
  const given = text.replace(/\bNOT ?PROVIDED\b/gi, '').trim();
  return /^(?:[A-Z]{2})?[0 ]*$/.test(given) ? '' : given;
}

/** Returns the texts that say something. */
export function givenTexts(texts: readonly string[]): string[] {
  return texts.map(givenText).filter((text) => text !== '');
}
