import type { JsonObject, JsonValue } from '../../src/document/json.js';
import { isJsonArray, isJsonObject, objectOf } from '../../src/document/json.js';
import { namedAlternatives } from '../../src/openapi/discriminator.js';
import { named } from './random-schemas.js';

// The types of TypeScript cannot say everything. This is the whole list, which the guide has too:
// each function rewrites a schema into what its type says.

const rewritings: readonly ((schema: JsonObject) => JsonObject)[] = [
  withoutLimits,
  withNumbers,
  withAnyOf,
  withLengthsOfTuples,
  withOneTypeOfOtherMembers,
  withMembersOfParts,
];

/** Keywords that limit values of a type, or that depend on other members. */
const limits = new Set(
  (
    'minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf uniqueItems contains minContains maxContains minProperties maxProperties ' +
    'propertyNames not if then else dependentRequired dependentSchemas'
  ).split(' '),
);

function withoutLimits(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !limits.has(keyword)));
}

/** An integer is a number. */
function withNumbers(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (type === undefined) return schema;
  const names = [type].flat().map((name) => (name === 'integer' ? 'number' : name));
  return { ...schema, type: [...new Set(names)] };
}

/** A value may match several alternatives of `oneOf`, but only one that its discriminator names. */
function withAnyOf({ oneOf, discriminator, ...schema }: JsonObject): JsonObject {
  if (oneOf === undefined) return schema;
  const limited =
    discriminator &&
    namedAlternatives({ components: { schemas: named } }, { oneOf, discriminator });
  return { ...schema, anyOf: limited ?? oneOf };
}

/** A list has any length, unless the length is fixed or items have places of their own. */
function withLengthsOfTuples({ minItems = 0, maxItems, ...schema }: JsonObject): JsonObject {
  const { prefixItems } = schema;
  const places = isJsonArray(prefixItems) ? Math.max(prefixItems.length, Number(minItems)) : 0;
  const isFixed = maxItems === minItems || maxItems === 0 || schema['items'] === false;
  if (!isJsonArray(prefixItems) && !isFixed) return schema;
  const hasEnd = isFixed || (maxItems !== undefined && Number(maxItems) <= places);
  return { ...schema, minItems, ...(hasEnd && maxItems !== undefined && { maxItems }) };
}

/** A name that is not declared may have the type of every member but required ones. */
function withOneTypeOfOtherMembers(schema: JsonObject): JsonObject {
  const { patternProperties, additionalProperties: others, ...rest } = schema;
  const isOpen = others === undefined || others === true;
  const isAnything = isJsonObject(others) && Object.keys(others).length === 0;
  if (patternProperties === undefined && !isJsonObject(others)) return schema;
  if (isOpen || isAnything) return { ...rest, additionalProperties: true };
  const undeclared = [
    ...Object.values(objectOf(patternProperties)),
    ...(others === false ? [] : [others]),
  ];
  const properties = objectOf(rest['properties']);
  return {
    ...rest,
    properties: { ...properties, ...recordOf(undeclaredNames(schema), { anyOf: undeclared }) },
    additionalProperties: { anyOf: [...Object.values(properties), ...undeclared] },
  };
}

/**
 * A closed part or alternative leaves the members of the others alone. Names of members are
 * compared in a literal only.
 */
function withMembersOfParts(schema: JsonObject): JsonObject {
  const { additionalProperties, ...rest } = schema;
  const missing = undeclaredNames(schema);
  const properties = { ...objectOf(rest['properties']), ...recordOf(missing, false) };
  const isClosed = additionalProperties === false && Object.keys(properties).length > 0;
  return isClosed ? { ...rest, properties } : schema;
}

/** Members without a type describe an object, unless another schema names the types. */
function withImpliedType(schema: JsonObject): JsonObject {
  const isAlone = ['type', '$ref', ...combining].every((each) => schema[each] === undefined);
  return isAlone && schema['properties'] !== undefined ? { ...schema, type: 'object' } : schema;
}

/** Rewrites a schema, and all within it, into what its type says of a value of a variable. */
export function sayable(schema: JsonValue, holder = ''): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const typed = combining.includes(holder) ? schema : withImpliedType(schema);
  const said = rewritings.reduce((part, rewriting) => rewriting(part), typed);
  return mapSchemas(said, sayable);
}

/**
 * Rewrites it into what its type says of a literal, in which all members have to be declared. The
 * schema may be a part of others, so its own members are not closed.
 */
export function sayableOfLiterals(schema: JsonValue): JsonValue {
  return closed(sayable(schema), 'component');
}

function closed(
  schema: JsonValue,
  place: 'component' | 'value' | 'part' | 'alternative',
): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const part = Object.keys(schema).join() === 'anyOf' ? 'alternative' : 'part';
  const inner = mapSchemas(schema, (each, keyword) =>
    closed(each, combining.includes(keyword) ? part : 'value'),
  );
  const added = recordOf(undeclaredNames(inner), {});
  const needsNames = inner['additionalProperties'] === undefined && Object.keys(added).length > 0;
  const own = needsNames
    ? { ...inner, properties: { ...objectOf(inner['properties']), ...added } }
    : inner;
  const isValue = inner['enum'] !== undefined || inner['const'] !== undefined;
  if (place === 'part' && !isValue) return own;
  // An alternative without declared members makes a choice of nothing else an open one.
  if (!declares(schema)) return { ...own, additionalProperties: true };
  if (place === 'alternative' && !isValue) return own;
  return place === 'component' ? own : { ...own, unevaluatedProperties: false };
}

const combining = ['allOf', 'anyOf', 'oneOf'];

/** Returns true if the members of an object are declared, and not all allowed. */
function declares(schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema)) return false;
  const { properties, additionalProperties, $ref } = schema;
  if (additionalProperties !== undefined || $ref !== undefined) return true;
  if (Object.keys(objectOf(properties)).length > 0) return true;
  return combining.some((keyword) => [schema[keyword]].flat().some(declares));
}

/** Returns the required names that are no properties. */
function undeclaredNames({ required, properties }: JsonObject): string[] {
  const names = isJsonArray(required) ? required.map(String) : [];
  return names.filter((name) => !Object.hasOwn(objectOf(properties), name));
}

function recordOf(names: readonly string[], value: JsonValue): JsonObject {
  return Object.fromEntries(names.map((name) => [name, value]));
}

/**
 * Returns true if TypeScript refuses all members of a literal that {@link sayableOfLiterals} leaves
 * out. It takes the members of all alternatives together, also of those that do not match, and the
 * members of a member that several parts describe.
 */
export function refusesUnknownMembers(schema: JsonValue): boolean {
  const text = JSON.stringify(schema);
  if (/"(anyOf|oneOf)"|schemas\/Pet/.test(text)) return false;
  return !/"allOf"|"\$ref":"[^"]*",/.test(text) || !/"properties":.*("object"|"array")/.test(text);
}

const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const single = ['items', 'additionalProperties'];

function mapSchemas(
  schema: JsonObject,
  change: (schema: JsonValue, keyword: string) => JsonValue,
): JsonObject {
  const entries = Object.entries(schema).map(([keyword, member]): [string, JsonValue] => {
    if (lists.includes(keyword) && isJsonArray(member)) {
      return [keyword, member.map((each) => change(each, keyword))];
    }
    if (keyword === 'properties' && isJsonObject(member)) {
      const members = Object.entries(member).map(([name, each]) => [name, change(each, keyword)]);
      return [keyword, Object.fromEntries(members)];
    }
    return [keyword, single.includes(keyword) ? change(member, keyword) : member];
  });
  return Object.fromEntries(entries);
}
