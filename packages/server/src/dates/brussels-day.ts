import type { Language } from '@adx/contract';

/** A date without time, `YYYY-MM-DD`, as it is in Belgium. */
const form = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Brussels',
  dateStyle: 'short',
  timeStyle: 'medium',
});

const HOUR = 3_600_000;
/** 24 hours, in ms. */
export const DAY = 24 * HOUR;

/** The day it is in Belgium at this instant, `YYYY-MM-DD`. */
export function brusselsDay(instant: Date): string {
  return form.format(instant).slice(0, 10);
}

/** The day so many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/** The instant at which a day begins in Belgium, which is one or two hours ahead of UTC. */
export function startOfBrusselsDay(day: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const winter = new Date(midnight - HOUR);
  return form.format(winter) === `${day} 00:00:00` ? winter : new Date(midnight - 2 * HOUR);
}

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
