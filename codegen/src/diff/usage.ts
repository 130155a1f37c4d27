import { isJsonArray, isJsonObject, type JsonObject } from '../document/json.js';
import type { Change, Use } from './compare/change.js';

/** Calls of a partner in the last 90 days, as `adx-server usage --json` prints them. */
export interface UsageEntry {
  readonly partner: string;
  /** The id of the API key. */
  readonly apiKey: string;
  /** The `operationId`. */
  readonly operation: string;
  /** If only calls are counted that had this optional part of the request: `body.address.city`. */
  readonly field?: string;
  /** If only calls are counted that had this value in it. */
  readonly value?: string;
  readonly calls: number;
  /** `YYYY-MM-DD` */
  readonly lastUsed: string;
}

/** A partner whose calls a change concerns. */
export interface Affected {
  readonly partner: string;
  /** `YYYY-MM-DD` */
  readonly lastUsed: string;
}

/** A file that is no usage, which the message explains. */
export class UsageFileError extends Error {}

/**
 * Parses the output of `adx-server usage --json`.
 *
 * @param name the name of the file in messages
 * @throws UsageFileError
 */
export function parseUsage(text: string, name: string): UsageEntry[] {
  const value = parseJson(text);
  if (!isJsonArray(value)) throw new UsageFileError(`${name} is not a JSON array.`);
  return value.map((entry, index) => {
    const [mistake] = isJsonObject(entry) ? mistakesOf(entry) : ['it is not an object'];
    if (mistake) throw new UsageFileError(`${name}, entry ${index + 1}: ${mistake}.`);
    return entry as unknown as UsageEntry;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function mistakesOf(entry: JsonObject): string[] {
  const isText = (name: string) => typeof entry[name] === 'string' && entry[name] !== '';
  const { calls, lastUsed } = entry;
  return [
    ...['partner', 'apiKey', 'operation']
      .filter((name) => !isText(name))
      .map((name) => `${name} is not a text`),
    ...(entry['field'] === undefined || isText('field') ? [] : ['field is not a text']),
    ...(entry['value'] === undefined || typeof entry['value'] === 'string'
      ? []
      : ['value is not a text']),
    ...(entry['value'] === undefined || isText('field') ? [] : ['value has no field']),
    ...(typeof calls === 'number' && Number.isInteger(calls) && calls >= 0
      ? []
      : ['calls is not a number of calls']),
    ...(typeof lastUsed === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(lastUsed)
      ? []
      : ['lastUsed is not a date (YYYY-MM-DD)']),
  ];
}

/** The partners whose calls a change concerns, each once, the most recent call first. */
export function affectedBy({ uses }: Change, usage: readonly UsageEntry[]): Affected[] {
  const last = new Map<string, string>();
  for (const entry of usage) {
    const { partner, lastUsed } = entry;
    const isConcerned = entry.calls > 0 && uses.some((use) => isCounted(use, entry));
    if (isConcerned && lastUsed > (last.get(partner) ?? '')) last.set(partner, lastUsed);
  }
  return [...last]
    .map(([partner, lastUsed]) => ({ partner, lastUsed }))
    .sort(
      (a, b) => b.lastUsed.localeCompare(a.lastUsed) || a.partner.localeCompare(b.partner, 'en'),
    );
}

function isCounted({ operation, field, values }: Use, entry: UsageEntry): boolean {
  if (entry.operation !== operation || keyOf(entry.field) !== keyOf(field)) return false;
  return values ? values.includes(entry.value ?? '') : entry.value === undefined;
}

/** Names of headers are the same in any case. */
function keyOf(field: string | undefined): string | undefined {
  return field?.startsWith('header.') ? field.toLowerCase() : field;
}
