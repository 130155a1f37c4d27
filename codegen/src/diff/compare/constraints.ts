import { isJsonArray, type JsonValue } from '../../document/json.js';
import type { Direction, Weight } from './change.js';

/** The change of allowed values. Nobody compares patterns, so another one counts as `other`. */
export type Effect = 'fewer' | 'more' | 'other';

/** Returns the weight: accepting less breaks requests, sending more breaks responses (D-40). */
export function weightOf(effect: Effect, direction: Direction): Weight {
  if (effect === 'other') return 'major';
  if (direction === 'request') return effect === 'fewer' ? 'major' : 'minor';
  return effect === 'fewer' ? 'patch' : 'major';
}

/** Keywords with a number: a greater one allows fewer values, or more. */
const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

/** Keywords whose presence allows fewer values (JSON Schema 2020-12, Validation §6). */
export const constraints: readonly string[] = [
  ...lowerBounds,
  ...upperBounds,
  'pattern',
  'multipleOf',
  'uniqueItems',
];

/** Returns the effect of a keyword that got another value, or undefined if it has none. */
export function constraintEffect(
  keyword: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Effect | undefined {
  const [old, now] = [before, after].map((value) => (isIdle(keyword, value) ? undefined : value));
  if (old === now) return undefined;
  if (old === undefined) return 'fewer';
  if (now === undefined) return 'more';
  const isLower = lowerBounds.includes(keyword);
  if (!isLower && !upperBounds.includes(keyword)) return 'other';
  return Number(now) > Number(old) === isLower ? 'fewer' : 'more';
}

/** `uniqueItems: false` and `minLength: 0` allow everything. */
function isIdle(keyword: string, value: JsonValue | undefined): boolean {
  return value === false || (value === 0 && /^min[A-Z]/.test(keyword));
}

/** Returns the effect. Another type in place of one, as `number` for `integer`, is `other`. */
export function typeEffect(
  before: readonly string[],
  after: readonly string[],
): Effect | undefined {
  if (before.length === 0 && after.length > 0) return 'fewer';
  if (before.length > 0 && after.length === 0) return 'more';
  return listEffect(before, after);
}

export function listEffect(
  before: readonly string[],
  after: readonly string[],
): Effect | undefined {
  const isLess = before.some((each) => !after.includes(each));
  const isMore = after.some((each) => !before.includes(each));
  if (isLess && isMore) return 'other';
  if (isLess) return 'fewer';
  return isMore ? 'more' : undefined;
}

/** Returns the values that `enum` and `const` allow as JSON; undefined if there is neither. */
export function allowedValues(
  list: JsonValue | undefined,
  single: JsonValue | undefined,
): string[] | undefined {
  if (single !== undefined) return [JSON.stringify(single)];
  return isJsonArray(list) ? list.map((value) => JSON.stringify(value)) : undefined;
}
