/**
 * Banks write `NOTPROVIDED` where a payment has no reference. In two words it is also English,
 * which payers write: then the text has to end there, or go on after a hyphen.
 */
const placeholder = /(?<![^ :])((?:NOTPROVIDED(?![^ ,;])|NOT PROVIDED(?= *$| - ))[ ,;]*)/;

const reference = 'REF|REFERENCE|REFERENTIE|REFERTE|REFERENZ';
const number = `${reference}|ID|IDENTIFICATIE|IDENTIFICATION|IDENTIFIER|NR|NUMBER|NUMERO|NUMMER`;
const possessive = 'YOUR|UW|VOTRE|IHRE?';
const subject =
  'E2E|END[ -]TO[ -]END|MANDATE?|MANDAAT|CREDITOR|CREANCIER|SCHULDEISER|GLAUBIGER|DEBTOR|DEBITEUR|SCHULDENAAR|' +
  "CUSTOMER|CLIENT|KLANT|KUNDE|DONNEUR D[’']ORDRE|OPDRACHTGEVER|AUFTRAGGEBER";

/**
 * Such as `YOUR REFERENCE`, `MANDAATNUMMER`, `GLAUBIGER-ID`, `REFERENTIE OPDRACHTGEVER` or
 * `REFERENCE DU MANDAT`.
 */
const longLabel =
  `(?:${possessive}) (?:${reference})|(?:(?:${possessive}) )?(?:(?:${subject})(?:E?N|S)?[ -]?(?:${number})|` +
  `(?:${number})[.]? (?:(?:OF THE|DU|DE LA|DES|DER|VAN|VAN DE|VAN HET) )?(?:${subject}))`;
/** Payers write these too, so they are labels only before a colon, or if nothing is before them. */
const shortLabel = `${subject}|${reference}`;

/** A label at the end of a text without accents. */
const label = new RegExp(
  `(?<![^ ])(?:(?:${longLabel})[.]?(?: ?:)?|(?:${shortLabel})[.]? ?:)$|^(?:${shortLabel})[.]?$`,
  'i',
);
/** A label that is not listed. Before English, it may be a payer's. */
const wordBeforeColon = /(?<![^ ])\p{L}{1,40} ?:$/u;

/**
 * Removes what banks write into a field that must not be empty: zeros, also as an account of zeros,
 * and NOTPROVIDED with its label. All else stays, because a payer may have written it.
 *
 * @example givenText('MANDAAT: M-1 REFERENTIE: NOTPROVIDED') // 'MANDAAT: M-1'
 */
export function givenText(text: string): string {
  // Texts and placeholders in turns.
  const parts = text.trim().split(placeholder);
  let given = '';
  for (let index = 0; index < parts.length; index += 2) {
    given += givenBefore(parts[index] ?? '', parts[index + 1]);
  }
  given = given.trim();
  // Some make an account of it, with a country and check digits.
  const isPlaceholder = /^(?:[A-Z]{2}\d\d)?NOT ?PROVIDED$/i.test(given);
  return /^(?:0[0 ]*|[A-Z]{2}0[0 ]{5,})$/.test(given) || isPlaceholder ? '' : given;
}

/**
 * Returns the text before a placeholder without its label, and the placeholder if a payer may have
 * written it.
 */
function givenBefore(before: string, found: string | undefined): string {
  if (found === undefined) return before;
  const text = before.trimEnd();
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '');
  const isEnglish = found.startsWith('NOT ');
  const [labelText] = label.exec(plain) ?? (isEnglish ? null : wordBeforeColon.exec(plain)) ?? [];
  if (isEnglish && !labelText?.endsWith(':')) return before + found;
  if (labelText === undefined) return before;
  const others = text.split(' ').slice(0, -labelText.split(' ').length);
  return others.map((word) => `${word} `).join('');
}

/** Returns the texts that say something. */
export function givenTexts(texts: readonly string[]): string[] {
  return texts.map(givenText).filter((text) => text !== '');
}
