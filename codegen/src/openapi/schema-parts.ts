import { type FuncKeywordDefinition, str } from 'ajv/dist/2020.js';
import {
  childOf,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Part,
  target,
} from '../document/json.js';

// This file says of which schemas a schema consists (Schema Object, OpenAPI 3.1 §4.8.24). The
// generator and the generated server read it alike.

/** The keywords whose schemas check the same value. */
export const partKeywords: readonly string[] = ['allOf', 'anyOf', 'oneOf'];

/**
 * Returns a schema and all that it includes by `$ref` and other keywords, each once.
 *
 * @param keywords by default those that every value has to meet
 */
export function partsOf(
  spec: object,
  schema: Part,
  keywords: readonly string[] = ['allOf'],
): Part[] {
  const parts = new Map<JsonObject, Part>();
  const add = (part: Part) => {
    if (!isJsonObject(part.value) || parts.has(part.value)) return;
    parts.set(part.value, part);
    const reference = referenceIn(part.value);
    if (reference !== undefined) add(target(spec, reference));
    for (const keyword of keywords) for (const each of listedIn(part, keyword)) add(each);
  };
  add(schema);
  return [...parts.values()];
}

/** Returns the reference of a schema, which the generated server may have as `once`. */
export function referenceIn({ $ref, once }: JsonObject): string | undefined {
  const reference = $ref ?? once;
  return typeof reference === 'string' ? reference : undefined;
}

/** Returns all parts and alternatives of a schema, and of its items. */
export function partsWithItems(spec: object, schema: Part): Part[] {
  const parts = partsOf(spec, schema, partKeywords);
  const items = parts.flatMap((part) => itemSchemas(part, 0));
  return [...parts, ...items.flatMap((item) => partsOf(spec, item, partKeywords))];
}

/** Returns the same key for the same schemas. */
export function keyOf(schemas: readonly Part[]): unknown {
  return schemas.length > 1 ? JSON.stringify(schemas.map(({ path }) => path)) : schemas[0]?.value;
}

/** Returns the lists of alternatives of a schema, of which a value has to meet one each. */
export function choicesOf(part: Part): Part[][] {
  const lists = ['oneOf', 'anyOf'].map((keyword) => listedIn(part, keyword));
  return lists.filter(({ length }) => length > 0);
}

function listedIn(part: Part, keyword: string): Part[] {
  const list = part.value[keyword];
  if (!isJsonArray(list)) return [];
  const holder = childOf(part, keyword);
  return list.map((_, index) => childOf(holder, String(index)));
}

/** Returns the schemas under `properties` and `patternProperties` for a name, or else the other. */
export function memberSchemas(part: Part, name: string): Part[] {
  const { properties, patternProperties, additionalProperties } = part.value;
  const patterns = Object.keys(patternProperties ?? {})
    .filter((pattern) => new RegExp(pattern, 'u').test(name))
    .map((pattern) => childOf(childOf(part, 'patternProperties'), pattern));
  const isOwn = Object.hasOwn(Object(properties), name);
  const named = isOwn ? [childOf(childOf(part, 'properties'), name), ...patterns] : patterns;
  if (named.length > 0) return named;
  return additionalProperties === undefined ? [] : [childOf(part, 'additionalProperties')];
}

function itemSchemas(part: Part, index: number): Part[] {
  const own = listedIn(part, 'prefixItems')[index];
  if (own !== undefined) return [own];
  return part.value['items'] === undefined ? [] : [childOf(part, 'items')];
}

/** Returns the schemas of each item of a list. The last ones are those of all items after it. */
export function schemasOfItems(parts: readonly Part[]): Part[][] {
  const listed = parts.map(({ value }) => [value['prefixItems'] ?? []].flat().length);
  return Array.from({ length: Math.max(0, ...listed) + 1 }, (_, index) =>
    parts.flatMap((part) => itemSchemas(part, index)),
  );
}

/** Returns the names under `type`, with one name for numbers. */
export function typeNames({ type = [] }: JsonObject): string[] {
  return [type].flat().map((name) => (name === 'integer' ? 'number' : String(name)));
}

/** Returns the values under `const` or `enum`. */
export function valuesOf(schema: JsonObject): readonly JsonValue[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']];
  return isJsonArray(schema['enum']) ? schema['enum'] : undefined;
}

/** Returns the types that a schema itself names, by `type` or by values; undefined if none. */
export function ownTypes(schema: JsonObject): readonly string[] | undefined {
  const names = typeNames(schema);
  const types = valuesOf(schema)?.map(typeOfValue);
  return commonTypes([names.length > 0 ? names : undefined, types && [...new Set(types)]]);
}

/** Returns the name of the type of a value, the same for all numbers. */
export function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Returns the types that all lists have; undefined stands for all types. */
export function commonTypes(
  lists: readonly (readonly string[] | undefined)[],
): readonly string[] | undefined {
  const [first, ...others] = lists.filter((list) => list !== undefined);
  return first?.filter((name) => others.every((list) => list.includes(name)));
}

/** Returns true if a number is a multiple of another one, in the digits that are exact. */
export function isMultiple(number: number, of: number): boolean {
  const quotient = number / of;
  const nearest = Math.round(quotient) * of;
  return Number.isInteger(quotient) || Number(nearest.toPrecision(15)) === number;
}

/** The keyword for validators in place of that of Ajv, for which 19.99 is no multiple of 0.01. */
export const multipleOf: FuncKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  validate: (of: number, value: number) => isMultiple(value, of),
  error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
};

const objectKeywords = ['properties', 'additionalProperties', 'patternProperties'];
const arrayKeywords = ['items', 'prefixItems'];

/** Keywords of objects or lists without a `type` are taken for a description of them. */
export function impliedTypes(schema: JsonObject): readonly string[] | undefined {
  const has = (keyword: string) => Object.hasOwn(schema, keyword);
  const types = [
    ...([...objectKeywords, 'required'].some(has) ? ['object'] : []),
    ...(arrayKeywords.some(has) ? ['array'] : []),
  ];
  return types.length === 0 ? undefined : types;
}

/** A type that a value can have, and the schemas that describe its members then. */
export interface Form {
  readonly type: string;
  readonly schemas: readonly Part[];
}

/** The types that are left by a choice of alternatives; undefined stands for all types. */
interface Choice {
  readonly types: readonly string[] | undefined;
  readonly schemas: readonly Part[];
}

/** A schema with more forms is refused, because a reader would have to try each of them. */
export const mostForms = 500;

/**
 * Returns the function that returns the forms of a value that meets several schemas, in their
 * order. Choices of alternatives that are read alike are one. It stops beyond the most forms.
 */
export function formsIn(spec: object): (schemas: readonly Part[]) => Form[] {
  const known = new Map<JsonObject, Choice[]>();

  function choicesIn(schema: Part): Choice[] {
    const before = known.get(schema.value);
    if (before) return before;
    // An alternative that is the schema itself allows nothing more.
    known.set(schema.value, []);
    const lists = partsOf(spec, schema).flatMap((part) => [
      [{ types: ownTypes(part.value), schemas: hasMembers(part) ? [part] : [] }],
      ...choicesOf(part).map((list) => list.flatMap(choicesIn)),
    ]);
    const choices = lists.reduce<Choice[]>(everyTwo, [anything]);
    known.set(schema.value, choices);
    return choices;
  }

  return (schemas) =>
    schemas
      .map(choicesIn)
      .reduce(everyTwo, [anything])
      .flatMap((choice) => {
        const implied = choice.schemas.flatMap(({ value }) => impliedTypes(value) ?? []);
        const types = choice.types ?? (implied.length > 0 ? [...new Set(implied)] : ['string']);
        return types.map((type) => ({ type, schemas: choice.schemas }));
      });
}

const anything: Choice = { types: undefined, schemas: [] };

function everyTwo(some: readonly Choice[], others: readonly Choice[]): Choice[] {
  const different = new Map<string, Choice>();
  for (const one of some) {
    for (const other of others) {
      const types = commonTypes([one.types, other.types]);
      const schemas = [...one.schemas, ...other.schemas];
      const key = JSON.stringify([types, schemas.map(({ path }) => path)]);
      if (types?.length !== 0 && !different.has(key)) different.set(key, { types, schemas });
      if (different.size > mostForms) return [...different.values()];
    }
  }
  return [...different.values()];
}

function hasMembers({ value }: Part): boolean {
  return [...objectKeywords, ...arrayKeywords].some((keyword) => value[keyword] !== undefined);
}
