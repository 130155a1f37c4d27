import type { Language } from '@adx/contract';
import { clampInstant } from './instant.js';

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

/**
 * Returns the date that is a number of days after `day`, both as `YYYY-MM-DD`. The day after
 * 9999-12-31 is `+010000-01-01`, which PostgreSQL does not read, but `startOfBrusselsDay` does.
 */
export function addDays(day: string, days: number): string {
  const later = new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY);
  return later.toISOString().replace(/T.*/, '');
}

/**
 * Returns the instant at which a day starts in Belgium, which is one or two hours ahead of UTC, or
 * the nearest one within the years 1 to 9999, so that PostgreSQL reads it.
 */
export function startOfBrusselsDay(day: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const winter = new Date(midnight - HOUR);
  const isWinter = form.format(winter).endsWith(' 00:00:00');
  return clampInstant(isWinter ? winter.getTime() : midnight - 2 * HOUR);
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
