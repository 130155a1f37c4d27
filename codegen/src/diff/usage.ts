import { isJsonArray, isJsonObject, type JsonObject } from '../document/json.js';
import type { Change, Use } from './compare/change.js';
import { SourceError } from './releases.js';

/** The output of `adx-server usage --json`: the calls of partners in a period. */
export interface Usage {
  /** `YYYY-MM-DD` */
  readonly from: string;
  /** `YYYY-MM-DD` */
  readonly to: string;
  readonly uses: readonly UsageEntry[];
}

/** Calls of a partner in these days. */
interface UsageEntry {
  readonly partner: string;
  /** The id of the API key. */
  readonly apiKey: string;
  readonly operation: string;
  /** The part of the request, if only calls with it are counted: `body.address.city`. */
  readonly field?: string;
  readonly value?: string;
  readonly calls: number;
  /** `YYYY-MM-DD` */
  readonly lastUsed: string;
}

interface Affected {
  readonly partner: string;
  /** `YYYY-MM-DD` */
  readonly lastUsed: string;
}

/**
 * @param name the name of the file in messages
 * @throws SourceError also for the usage of one operation, because the others would look unused
 */
export function parseUsage(text: string, name: string): Usage {
  const usage = parseJson(text);
  if (!isJsonObject(usage) || !isJsonArray(usage['uses'])) {
    throw new SourceError(`${name} is not the output of adx-server usage --json.`);
  }
  for (const day of ['from', 'to']) {
    if (isDate(usage[day])) continue;
    throw new SourceError(`${name}: ${day} is not a date (YYYY-MM-DD).`);
  }
  if (usage['operation'] !== undefined) {
    throw new SourceError(`${name} has the usage of one operation. Leave out --operation.`);
  }
  for (const [index, entry] of usage['uses'].entries()) {
    const [mistake] = isJsonObject(entry) ? mistakesOf(entry) : ['it is not an object'];
    if (mistake) throw new SourceError(`${name}, entry ${index + 1}: ${mistake}.`);
  }
  return usage as unknown as Usage;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function mistakesOf(entry: JsonObject): string[] {
  const { partner, apiKey, operation, field, value, calls, lastUsed } = entry;
  const isText = (part: unknown) => typeof part === 'string' && part !== '';
  const rules: readonly [isKept: boolean, mistake: string][] = [
    [isText(partner), 'partner is not a text'],
    [isText(apiKey), 'apiKey is not a text'],
    [isText(operation), 'operation is not a text'],
    [field === undefined || isText(field), 'field is not a text'],
    [value === undefined || typeof value === 'string', 'value is not a text'],
    [value === undefined || field !== undefined, 'value has no field'],
    [Number.isInteger(calls) && Number(calls) >= 0, 'calls is not a number of calls'],
    [isDate(lastUsed), 'lastUsed is not a date (YYYY-MM-DD)'],
  ];
  return rules.filter(([isKept]) => !isKept).map(([, mistake]) => mistake);
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}

/** Returns the partners whose calls a change concerns, each once, the most recent call first. */
export function affectedBy({ uses }: Change, usage: Usage): Affected[] {
  const last = new Map<string, string>();
  for (const entry of usage.uses) {
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
  const { value } = entry;
  if (entry.operation !== operation || keyOf(entry.field) !== keyOf(field)) return false;
  return values ? value !== undefined && values.includes(value) : value === undefined;
}

/** Names of headers are the same in any case. */
function keyOf(field: string | undefined): string | undefined {
  return field?.startsWith('header.') ? field.toLowerCase() : field;
}
