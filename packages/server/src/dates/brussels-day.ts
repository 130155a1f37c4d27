import type { Language } from '@adx/contract';

/** Formats an instant as `YYYY-MM-DD hh:mm:ss` in Belgian time. */
const form = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Brussels',
  dateStyle: 'short',
  timeStyle: 'medium',
});

const HOUR = 3_600_000;
/** 24 hours, in ms. */
export const DAY = 24 * HOUR;

/** Returns the date in Belgium at an instant, as `YYYY-MM-DD`. */
export function brusselsDay(instant: Date): string {
  return form.format(instant).slice(0, 10);
}

/** Returns the date that is a number of days after `day`, both as `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/** Returns the instant at which a day starts in Belgium, which is one or two hours ahead of UTC. */
export function startOfBrusselsDay(day: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const winter = new Date(midnight - HOUR);
  return form.format(winter) === `${day} 00:00:00` ? winter : new Date(midnight - 2 * HOUR);
}

/** @example brusselsTime(new Date('2026-11-02T09:00:00.500Z')) // '2026-11-02T10:00:00+01:00' */
export function brusselsTime(instant: Date): string {
  return `${form.format(instant).replace(' ', 'T')}+0${hoursAhead(instant)}:00`;
}

/** Returns how many hours Belgian time is ahead of UTC: one in winter, two in summer. */
function hoursAhead(instant: Date): number {
  const local = Date.parse(`${form.format(instant).replace(' ', 'T')}Z`);
  return Math.round((local - instant.getTime()) / HOUR);
}

const forms: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  fr: inBrussels('fr-BE'),
  nl: inBrussels('nl-BE'),
  de: inBrussels('de-BE'),
  en: inBrussels('en-GB'),
};

/** @example longDate(new Date('2026-11-30T23:30:00Z'), 'fr') // '1er décembre 2026' */
export function longDate(instant: Date, language: Language): string {
  const date = forms[language].format(instant);
  // French writes the first of a month as an ordinal, which `Intl` does not.
  return language === 'fr' ? date.replace(/^1 /, '1er ') : date;
}

export function longDay(day: string, language: Language): string {
  return longDate(startOfBrusselsDay(day), language);
}

/**
 * @example longTime(new Date('2026-11-02T09:00:00Z'), 'en') // '2 November 2026, 10:00:00 (UTC+1)'
 */
export function longTime(instant: Date, language: Language): string {
  const time = form.format(instant).slice(11);
  return `${longDate(instant, language)}, ${time} (UTC+${hoursAhead(instant)})`;
}

function inBrussels(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'Europe/Brussels' });
}
