import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isJsonObject } from '../src/document/json.js';
import { withNamedAlternatives } from '../src/openapi/discriminator.js';

/**
 * Removes what Ajv would take for the address of a schema, which only examples and the like have.
 * Properties with single values come first: if they tell alternatives apart, Ajv need not validate
 * what is inside them, which would double its time with each level.
 */
export function validatable<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(validatable) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([key, member]) => typeof member !== 'string' || !/^\$(id|schema|(dynamicA|a)nchor)$/.test(key),
  );
  const isKept = (key: string) => key === 'const' || key === 'enum';
  const isSingle = (member: unknown) =>
    Object.keys(Object(member)).some(isKept) || /^(str|int|num|boo)/.test(Object(member).type);
  return Object.fromEntries(
    members
      .toSorted(([, a], [, b]) => Number(isSingle(b)) - Number(isSingle(a)))
      .map(([key, member]) => [key, isKept(key) ? member : validatable(member)]),
  ) as Value;
}

/**
 * Creates the validator of requests.
 *
 * @param spec the document as `validatable` returns it
 */
export function createAjv(spec: object, options: Options): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    // Infinity is no number: JSON has `1e999`.
    strictNumbers: true,
    validateSchema: false,
    logger: false,
    ownProperties: true,
    ...options,
  });
  addFormats.default(ajv);
  // Ajv checks types without this definition of the keyword, and then what this one adds: beyond
  // these numbers, another integer than the one that was sent would arrive.
  ajv.removeKeyword('type').addKeyword({
    keyword: 'type',
    type: 'number',
    validate: (type: string | readonly string[], value: number) =>
      Number.isSafeInteger(value) || !type.includes('integer') || type.includes('number'),
    error: { message: `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}` },
  });
  // Ajv's own check compares each object with all others, which takes quadratic time.
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    validate: (isUnique: boolean, list: readonly unknown[]) =>
      !isUnique || new Set(list.map(sortedJson)).size === list.length,
    error: { message: 'must NOT have duplicate items' },
  });
  return ajv.addSchema(withNamedAlternatives(spec), 'openapi');
}

/** Returns the same text for equal values. */
function sortedJson(value: unknown): string {
  const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
  return JSON.stringify(value, (_, member) =>
    isJsonObject(member) ? Object.fromEntries(Object.entries(member).toSorted(byName)) : member,
  );
}
