import type { JsonValue } from '../../document/json.js';
import { isMultiple, typeOfValue } from '../../openapi/schema-parts.js';
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
  ...[...lowerBounds, ...upperBounds, 'pattern', 'multipleOf', 'uniqueItems', 'format'],
  ...['contentEncoding', 'contentMediaType', 'dependentRequired'],
];

/** Returns one value for those of all parts of a schema: the narrowest, or a list of them. */
export function joined(keyword: string, values: readonly JsonValue[]): JsonValue | undefined {
  const [first, ...others] = [...new Set(values.map((value) => JSON.stringify(value)))];
  if (first === undefined) return undefined;
  if (lowerBounds.includes(keyword)) return Math.max(...values.map(Number));
  if (upperBounds.includes(keyword)) return Math.min(...values.map(Number));
  return others.length === 0 ? JSON.parse(first) : values;
}

/** Returns the effect of a keyword that got another value, or undefined if it has none. */
export function constraintEffect(
  keyword: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Effect | undefined {
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  if (before === undefined || after === undefined) return before === undefined ? 'fewer' : 'more';
  const [old, now] = [Number(before), Number(after)];
  if (lowerBounds.includes(keyword)) return now > old ? 'fewer' : 'more';
  if (upperBounds.includes(keyword)) return now < old ? 'fewer' : 'more';
  if (keyword !== 'multipleOf') return 'other';
  return isMultiple(old, now) ? 'more' : isMultiple(now, old) ? 'fewer' : 'other';
}

const twins: Readonly<Record<string, string>> = {
  minimum: 'exclusiveMinimum',
  exclusiveMinimum: 'minimum',
  maximum: 'exclusiveMaximum',
  exclusiveMaximum: 'maximum',
};

/** Formats of OpenAPI 3.0, and the keywords of 3.1 that mean the same, in both directions. */
const spellings = [
  ['format', 'binary', 'contentMediaType', 'application/octet-stream'],
  ['format', 'byte', 'contentEncoding', 'base64'],
  ['contentMediaType', 'application/octet-stream', 'format', 'binary'],
  ['contentEncoding', 'base64', 'format', 'byte'],
];

/**
 * Returns true for a limit that another keyword of a schema implies, as `exclusiveMinimum: 1` does
 * `minimum: 1`, and for another spelling of it.
 */
export function isImplied(
  keyword: string,
  value: JsonValue | undefined,
  boundOf: (keyword: string) => JsonValue | undefined,
): boolean {
  const isSpelling = spellings.some(
    ([key, text, other = '', there]) =>
      key === keyword && text === value && boundOf(other) === there,
  );
  if (isSpelling) return true;
  // Nothing is greater than a bound that is not there, which is no number.
  const difference = Number(boundOf(twins[keyword] ?? '')) - Number(value);
  const distance = lowerBounds.includes(keyword) ? difference : -difference;
  return keyword.startsWith('exclusive') ? distance > 0 : distance >= 0;
}

/** Returns the effect of another list of types. */
export function typeEffect(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): Effect | undefined {
  if (before === undefined || after === undefined) {
    return constraintEffect('type', before, after);
  }
  const effect = listEffect(before, after, isAmong);
  // Nobody means a schema without any value: it has types that exclude each other.
  return effect && after.length === 0 ? 'other' : effect;
}

/** Returns the effect of another list of what is allowed. */
export function listEffect(
  before: readonly string[],
  after: readonly string[],
  isIn = (each: string, list: readonly string[]) => list.includes(each),
): Effect | undefined {
  const isLess = before.some((each) => !isIn(each, after));
  const isMore = after.some((each) => !isIn(each, before));
  if (isLess && isMore) return 'other';
  return isLess ? 'fewer' : isMore ? 'more' : undefined;
}

/** Returns true for a type that types include. Every integer is a number. */
export function isAmong(type: string, types: readonly string[]): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** Returns true if a value, written as JSON, is of a type. */
export function isOf(type: string, value: string): boolean {
  const parsed: unknown = JSON.parse(value);
  return type === 'integer' ? Number.isInteger(parsed) : type === typeOfValue(parsed);
}
