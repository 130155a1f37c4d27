import { isScope, type MandateStatus, type Scope, scopes } from '@adx/contract';
import { InvalidArgumentError, Option } from 'commander';
import { parseObjectId } from '../identifiers/object-id.js';
import { accessLevels, type CustomerAccess } from '../identity/users.js';
import { lifecycle } from '../mandates/lifecycle.js';

/** Parsers and declarations of what operators type: each refuses bad input in one sentence (exit code 2). */

/** An identifier (D-12), in lower case. */
export function parseId(text: string): string {
  const id = parseObjectId(text);
  if (id === undefined) {
    throw new InvalidArgumentError('It is not an id: 24 hexadecimal characters.');
  }
  return id;
}

/** Identifiers separated by commas. */
export function parseIds(text: string): readonly string[] {
  return [...new Set(text.split(',').map((id) => parseId(id.trim())))];
}

/** A name of at most 200 characters, without surrounding blanks. */
export function parseName(text: string): string {
  const name = text.trim();
  if (name === '') throw new InvalidArgumentError('It is empty.');
  if (name.length > 200) throw new InvalidArgumentError('It is longer than 200 characters.');
  if (/[\p{Cc}\p{Cs}]/u.test(name)) {
    throw new InvalidArgumentError('It holds control characters.');
  }
  return name;
}

/** A username as `POST /token` takes it. */
export function parseUsername(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  if (text.length > 254) throw new InvalidArgumentError('It is longer than 254 characters.');
  if (text.trim() !== text || /[\p{Cc}\p{Cs}]/u.test(text)) {
    throw new InvalidArgumentError('It holds control characters or surrounding blanks.');
  }
  return text;
}

/** `all`, or ids of customers separated by commas. */
export function parseCustomers(text: string): CustomerAccess {
  if (text === 'all') return 'all';
  const ids = text.split(',').map((id) => parseObjectId(id.trim()));
  if (!ids.every((id) => id !== undefined)) {
    throw new InvalidArgumentError(
      "It is neither 'all' nor ids of 24 hexadecimal characters separated by commas.",
    );
  }
  return [...new Set(ids)];
}

/** `all`, or scopes separated by commas. */
export function parseScopes(text: string): readonly Scope[] {
  if (text === 'all') return Object.keys(scopes).filter(isScope);
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(
      `There is no scope '${unknown.join("', '")}'. The scopes are ${Object.keys(scopes).join(', ')}; all stands for every one.`,
    );
  }
  return [...new Set(names.filter(isScope))];
}

/** Statuses of mandates (§3) separated by commas. */
export function parseStatuses(text: string): readonly MandateStatus[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const statuses = [...new Set(lifecycle.map(({ to }) => to))];
  const unknown = names.filter((name) => !statuses.some((status) => status === name));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(
      `There is no status '${unknown.join("', '")}'. The statuses are ${statuses.join(', ')}.`,
    );
  }
  return statuses.filter((status) => names.includes(status));
}

/** The `--access` option. */
export function accessOption(): Option {
  return new Option('--access <level>', 'access level').choices(accessLevels);
}

/** `on` or `off`. */
export function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') {
    throw new InvalidArgumentError("It is neither 'on' nor 'off'.");
  }
  return text === 'on';
}
