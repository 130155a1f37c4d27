import type { Language } from '@adx/contract';

const forms: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  fr: inBrussels('fr-BE'),
  nl: inBrussels('nl-BE'),
  de: inBrussels('de-BE'),
  en: inBrussels('en-GB'),
};

/**
 * The day it is in Belgium at this instant, in words.
 *
 * @example longDate(new Date('2026-11-30T23:30:00Z'), 'fr') // '1er décembre 2026'
 */
export function longDate(instant: Date, language: Language): string {
  const date = forms[language].format(instant);
  // The first of a month is an ordinal in French, which the locale leaves out.
  return language === 'fr' ? date.replace(/^1 /, '1er ') : date;
}

function inBrussels(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'Europe/Brussels' });
}
