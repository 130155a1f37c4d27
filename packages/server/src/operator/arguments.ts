import { hasUnprintable } from '@adx/command/unprintable';
import { isScope, type MandateStatus, type Scope, scopes } from '@adx/contract';
import { InvalidArgumentError, Option } from 'commander';
import { addDays, DAY, startOfBrusselsDay } from '../dates/brussels-day.js';
import {
  type EnterpriseNumber,
  formatEnterpriseNumber,
  parseEnterpriseNumber,
} from '../identifiers/enterprise-number.js';
import { parseIban } from '../identifiers/iban.js';
import { parseObjectId } from '../identifiers/object-id.js';
import { accessLevels, type CustomerAccess } from '../identity/users.js';
import { lifecycle, shownStatus } from '../mandates/lifecycle.js';

/**
 * Parsers of arguments. Each throws an `InvalidArgumentError` of one sentence; the exit code is
 * then 2.
 */

/** Returns an identifier (D-12) in lower case. */
export function parseId(text: string): string {
  const id = parseObjectId(text);
  if (id === undefined) throw new InvalidArgumentError('An id has 24 hexadecimal characters.');
  return id;
}

export function parseIds(text: string): readonly string[] {
  return [...new Set(text.split(',').map((id) => parseId(id.trim())))];
}

export function parseAccount(text: string): string {
  const iban = parseIban(text);
  if (iban === undefined) throw new InvalidArgumentError('It is not a valid IBAN.');
  return iban;
}

/** Parses an enterprise number, with or without `BE`, dots and spaces. */
export function parseNumber(text: string): EnterpriseNumber {
  const digits = text.replace(/^BE/i, '').replaceAll(/[. ]/g, '');
  const number = parseEnterpriseNumber(formatEnterpriseNumber(digits));
  if (number === undefined) throw new InvalidArgumentError('It is not a valid enterprise number.');
  return number;
}

export function parseName(text: string): string {
  return checkText(text.trim(), 200);
}

/** Returns a username that `POST /token` accepts. */
export function parseUsername(text: string): string {
  if (text.trim() !== text) {
    throw new InvalidArgumentError('A username has no surrounding spaces.');
  }
  return checkText(text, 254);
}

/** An address that needs no quoting, in the ASCII form of its domain. */
const EMAIL =
  /^[a-z\d_+-]+(?:\.[a-z\d_+-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i;

export function parseEmail(text: string): string {
  const email = text.trim();
  if (email.length > 254 || email.indexOf('@') > 64 || !EMAIL.test(email)) {
    throw new InvalidArgumentError("Expected an e-mail address such as 'info@firm.example'.");
  }
  return email;
}

/** Returns a phone number in E.164 or national format. */
export function parsePhone(text: string): string {
  const phone = text.trim();
  const isWritten = /^\+?\d+(?:[ ./-]\d+)*$/.test(phone) && phone.length <= 30;
  if (!isWritten || !/^(?:\+[1-9]\d{7,14}|0\d{7,12})$/.test(phone.replaceAll(/[ ./-]/g, ''))) {
    throw new InvalidArgumentError("Expected a phone number such as '+32 9 123 45 67'.");
  }
  return phone;
}

/** Adds the value `none`, which removes what is stored, to those that `parse` accepts. */
export function orNone(parse: (text: string) => string): (text: string) => string {
  return (text) => (text === 'none' ? text : parse(text));
}

function checkText(text: string, maxLength: number): string {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  if (text.length > maxLength) {
    throw new InvalidArgumentError(`It is longer than ${maxLength} characters.`);
  }
  if (hasUnprintable(text) || /\p{Cs}/u.test(text)) {
    throw new InvalidArgumentError(
      'It contains control characters, or marks that change the direction of text.',
    );
  }
  return text;
}

export function parseCustomers(text: string): CustomerAccess {
  return text === 'all' ? 'all' : parseIds(text);
}

export function parseScopes(text: string): readonly Scope[] {
  const all = Object.keys(scopes).filter(isScope);
  return text === 'all' ? all : parseNames(text, all, ['scope', 'scopes']);
}

export function parseStatuses(text: string): readonly MandateStatus[] {
  const statuses = [...new Set(lifecycle.map(({ to }) => shownStatus(to)))];
  return parseNames(text, statuses, ['status', 'statuses']);
}

function parseNames<Name extends string>(
  text: string,
  known: readonly Name[],
  [singular, plural]: readonly [string, string],
): readonly Name[] {
  const isKnown = (name: string): name is Name => known.some((each) => each === name);
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const unknown = names.filter((name) => !isKnown(name));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(
      `There is no ${singular} '${unknown.join("', '")}'. The ${plural} are ${known.join(', ')}.`,
    );
  }
  return names.filter(isKnown);
}

export function accessOption(): Option {
  return new Option('--access <level>', 'access level').choices(accessLevels);
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY };
const MAX_DAYS = 90;

/** Parses `0`, or minutes, hours or days such as `30m`, `12h` or `7d`. Returns ms. */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = text === '0' ? 0 : Number(count) * (unitMs[unit] ?? Number.NaN);
  if (ms <= MAX_DAYS * DAY) return ms;
  throw new InvalidArgumentError(
    `Expected 0, or minutes, hours or days such as 30m, 12h or 7d, at most ${MAX_DAYS}d.`,
  );
}

function numberOf(unit: string, minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,6}$/.test(text) ? Number(text) : -1;
    if (number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(
      `Expected a whole number of ${unit} from ${minimum} to ${maximum}.`,
    );
  };
}

export const daysUpTo = (maximum: number) => numberOf('days', 1, maximum);

export const parsePartitions = numberOf('partitions', 2, 64);

export const parseDays = daysUpTo(3650);

/** Returns the instant at which a day, `YYYY-MM-DD`, begins in Belgium. */
export function parseDay(text: string): Date {
  const exists = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!exists || addDays(text, 0) !== text) {
    throw new InvalidArgumentError("Expected a day such as '2026-11-30'.");
  }
  return startOfBrusselsDay(text);
}

export function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError("Expected 'on' or 'off'.");
  return text === 'on';
}
