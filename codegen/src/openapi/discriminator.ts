import { _, type CodeKeywordDefinition, stringify } from 'ajv/dist/2020.js';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  type Part,
  parsePointer,
} from '../document/json.js';
import { commonTypes, memberSchemas, ownTypes, partsOf, valuesOf } from './schema-parts.js';

/**
 * Returns the alternatives of a schema, each limited to the values of the discriminator that name
 * it (Discriminator Object, OpenAPI 3.1 §4.8.25). Undefined if nothing is limited.
 *
 * OpenAPI does not say that a validator obeys a discriminator. The types, the server and the checks
 * of examples all do, so that a handler or a caller can tell the alternatives apart by it.
 */
export function namedAlternatives(spec: object, schema: JsonObject): JsonValue[] | undefined {
  const { propertyName, mapping } = objectOf(schema['discriminator']);
  const alternatives = schema['oneOf'] ?? schema['anyOf'];
  if (typeof propertyName !== 'string' || !isJsonArray(alternatives)) return undefined;
  const named = alternatives.map((alternative) => {
    const names = namesOf(spec, alternative, propertyName, objectOf(mapping));
    if (names.length === 0) return alternative;
    // The name comes first, so that a validator goes into no alternative that it does not name.
    const properties = { [propertyName]: { enum: names } };
    return { allOf: [{ type: 'object', properties, required: [propertyName] }, alternative] };
  });
  const isLimited = named.some((each, index) => each !== alternatives[index]);
  return isLimited ? named : undefined;
}

/** Returns a document in which each alternative with a name says so. */
export function withNamedAlternatives(spec: object): JsonObject {
  return rewritten(spec, (schema) => {
    const named = namedAlternatives(spec, schema);
    return named ? { ...schema, [keywordIn(schema)]: named } : schema;
  });
}

/**
 * Returns a document for Ajv with the option `discriminator`, which leaves a `oneOf` beside this
 * keyword to it. The document has no discriminators whose names do not tell the alternatives apart.
 */
export function withChosenAlternatives(spec: object): JsonObject {
  const named = withNamedAlternatives(spec);
  return rewritten(named, (schema) => {
    const { discriminator, ...plain } = schema;
    const { propertyName } = objectOf(discriminator);
    if (typeof propertyName !== 'string') return schema;
    return chosenAlternatives(named, plain, propertyName) ?? plain;
  });
}

/**
 * Checks a value against the one alternative that it names, so that nobody reads of the others what
 * is missing. Ajv's own keyword knows no mappings, and looks for names only in the alternatives.
 */
export const discriminator: CodeKeywordDefinition = {
  keyword: 'discriminator',
  type: 'object',
  before: 'unevaluatedProperties',
  code(context) {
    const { gen, data, schema } = context;
    const isValid = gen.let('valid', false);
    const name = _`${data}[${schema.propertyName}]`;
    for (const [index, values] of schema.names.entries()) {
      gen.if(_`${stringify(values)}.includes(${name})`, () => {
        const matches = gen.name('valid');
        const alternative = context.subschema({ keyword: 'oneOf', schemaProp: index }, matches);
        gen.assign(isValid, matches);
        context.mergeValidEvaluated(alternative, matches);
      });
    }
    context.ok(isValid);
  },
};

function rewritten(spec: object, change: (schema: JsonObject) => JsonObject): JsonObject {
  const rewrite = (value: unknown): unknown => {
    if (isJsonArray(value)) return value.map(rewrite);
    if (!isJsonObject(value)) return value;
    const members = Object.entries(change(value));
    return Object.fromEntries(members.map(([key, member]) => [key, rewrite(member)]));
  };
  return objectOf(rewrite(spec));
}

function keywordIn(schema: JsonObject): 'oneOf' | 'anyOf' {
  return schema['oneOf'] === undefined ? 'anyOf' : 'oneOf';
}

/** Returns a schema with the names of its alternatives, if they tell these, and null, apart. */
function chosenAlternatives(
  spec: object,
  schema: JsonObject,
  propertyName: string,
): JsonObject | undefined {
  const { [keywordIn(schema)]: oneOf, allOf = [], ...others } = schema;
  if (!isJsonArray(oneOf)) return undefined;
  const names = oneOf.map((each) => requiredValues(spec, objectOf(each), propertyName));
  const all = names.flat();
  const areApart = new Set(all).size === all.length && all.every((each) => Object(each) !== each);
  const unnamed = oneOf.filter((_, index) => names[index]?.length === 0);
  const isNull = (each: JsonValue) => ownTypes(objectOf(each))?.join() === 'null';
  if (!areApart || all.length === 0 || unnamed.length > 1 || !unnamed.every(isNull)) {
    return undefined;
  }
  const property = { [propertyName]: { enum: all } };
  const type = ['object', ...unnamed.map(() => 'null')];
  const naming = { type, properties: property, required: [propertyName] };
  const discriminator = { propertyName, names };
  return { ...others, discriminator, oneOf, allOf: [...[allOf].flat(), naming] };
}

/** Returns the values that a property may have; none if it can be absent, or anything. */
function requiredValues(spec: object, schema: JsonObject, name: string): JsonValue[] {
  const parts = partsOf(spec, { value: schema, path: [] });
  const isRequired = parts.some(({ value }) => [value['required'] ?? []].flat().includes(name));
  const [type = 'object', ...otherTypes] =
    commonTypes(parts.map(({ value }) => ownTypes(value))) ?? [];
  if (!isRequired || type !== 'object' || otherTypes.length > 0) return [];
  const [first = [], ...others] = propertyIn(spec, schema, name)
    .map(({ value }) => valuesOf(value))
    .filter((list) => list !== undefined);
  return first.filter((value) => others.every((list) => list.includes(value)));
}

/** Returns the schemas under `properties` for a name, with their parts. */
function propertyIn(spec: object, schema: JsonObject, name: string): Part[] {
  return partsOf(spec, { value: schema, path: [] })
    .filter(({ value }) => Object.hasOwn(objectOf(value['properties']), name))
    .flatMap((part) => memberSchemas(part, name))
    .flatMap((member) => partsOf(spec, member));
}

/**
 * Returns the values in the mapping that lead to a schema, or else its name if the property may be
 * any text. None if the schema itself allows no other values than these.
 */
function namesOf(
  spec: object,
  schema: JsonValue,
  propertyName: string,
  mapping: JsonObject,
): JsonValue[] {
  const { $ref } = objectOf(schema);
  if (typeof $ref !== 'string') return [];
  const property = propertyIn(spec, objectOf(schema), propertyName).map(({ value }) => value);
  const isText = property.every((part) => ownTypes(part)?.includes('string') ?? true);
  const lists = property.map(valuesOf).filter((list) => list !== undefined);
  const isListed = (value: JsonValue) => lists.every((list) => list.includes(value));
  const name = parsePointer($ref).at(-1) ?? '';
  const mapped = Object.keys(mapping).filter((key) => [$ref, name].includes(String(mapping[key])));
  if (mapped.length === 0) {
    const isAnyText = !property.some((part) => valuesOf(part) ?? part['anyOf'] ?? part['oneOf']);
    return isText && isAnyText && property.length > 0 ? [name] : [];
  }
  const [own] = lists;
  const isKnown = own?.filter(isListed).every((value) => mapped.includes(String(value)));
  return isText && isKnown !== true ? mapped.filter(isListed) : [];
}
