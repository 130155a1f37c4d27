import { isScope, type MandateStatus, type Scope, scopes } from '@adx/contract';
import { InvalidArgumentError, Option } from 'commander';
import { parseIban } from '../identifiers/iban.js';
import { parseObjectId } from '../identifiers/object-id.js';
import { hasUnprintable } from '../identifiers/unprintable.js';
import { accessLevels, type CustomerAccess } from '../identity/users.js';
import { lifecycle } from '../mandates/lifecycle.js';

/** Parsers of arguments. Each refuses invalid text with one sentence, and the exit code is then 2. */

/** Parses an identifier (D-12) and returns it in lower case. */
export function parseId(text: string): string {
  const id = parseObjectId(text);
  if (id === undefined) throw new InvalidArgumentError('An id has 24 hexadecimal characters.');
  return id;
}

/** Parses identifiers separated by commas. */
export function parseIds(text: string): readonly string[] {
  return [...new Set(text.split(',').map((id) => parseId(id.trim())))];
}

/** Parses an IBAN and returns it without spaces. */
export function parseAccount(text: string): string {
  const iban = parseIban(text);
  if (iban === undefined) throw new InvalidArgumentError('It is not a valid IBAN.');
  return iban;
}

/** Parses a name of at most 200 characters, without surrounding spaces. */
export function parseName(text: string): string {
  return checkText(text.trim(), 200);
}

/** Parses a username that `POST /token` accepts. */
export function parseUsername(text: string): string {
  if (text.trim() !== text) {
    throw new InvalidArgumentError('A username has no surrounding spaces.');
  }
  return checkText(text, 254);
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

/** Parses `all`, or ids of customers separated by commas. */
export function parseCustomers(text: string): CustomerAccess {
  return text === 'all' ? 'all' : parseIds(text);
}

/** Parses `all`, or scopes separated by commas. */
export function parseScopes(text: string): readonly Scope[] {
  const all = Object.keys(scopes).filter(isScope);
  return text === 'all' ? all : parseNames(text, all, ['scope', 'scopes']);
}

/** Parses statuses of mandates (§3) separated by commas. */
export function parseStatuses(text: string): readonly MandateStatus[] {
  const statuses = [...new Set(lifecycle.map(({ to }) => to))];
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

/** Creates the option `--access`. */
export function accessOption(): Option {
  return new Option('--access <level>', 'access level').choices(accessLevels);
}

/** Parses `on` or `off`. */
export function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError("Expected 'on' or 'off'.");
  return text === 'on';
}
