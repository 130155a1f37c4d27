/** NOTPROVIDED, with its label: that of a reference, such as `REFERENCE DONNEUR D'ORDRE:`, or else one word. */
const notProvided =
  /(?:(?:\p{L}{0,20}REF|\bE2E\b|\bEND[ -]TO[ -]END\b)[^:\d]{0,40}: ?|\p{L}{1,40} ?: ?)?\bNOT ?PROVIDED\b/giu;

/**
 * Removes what banks write into a field that must not be empty: zeros, also as an account of zeros, and
 * NOTPROVIDED, the end-to-end reference of a payment without one.
 *
 * @example givenText('MANDAAT: M-1 REFERENTIE: NOTPROVIDED') // 'MANDAAT: M-1'
 */
export function givenText(text: string): string {
  const given = text.replace(notProvided, '').trim();
  return /^(?:[A-Z]{2})?[0 ]*$/.test(given) ? '' : given;
}

/** Returns the texts that say something. */
export function givenTexts(texts: readonly string[]): string[] {
  return texts.map(givenText).filter((text) => text !== '');
}
