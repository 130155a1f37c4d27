import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  type Part,
  parsePointer,
} from '../document/json.js';
import { memberSchemas, ownTypes, partsOf, valuesOf } from './schema-parts.js';

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
    const properties = { [propertyName]: { type: 'string', enum: names } };
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

/** Returns a document for validators, of which few know discriminators and mappings. */
export function withChosenAlternatives(spec: object): JsonObject {
  const named = withNamedAlternatives(spec);
  return rewritten(named, (schema) => {
    const { [keywordIn(schema)]: _list, ...others } = schema;
    const chosen = chosenAlternative(named, schema);
    const parts = isJsonArray(schema['allOf']) ? schema['allOf'] : [];
    return chosen ? { ...others, allOf: [...parts, ...chosen] } : schema;
  });
}

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

/**
 * Returns the parts of a schema that check the value against the one alternative that it names, so
 * that nobody reads of the others what is missing. Undefined if the names do not tell them apart.
 */
function chosenAlternative(spec: object, schema: JsonObject): JsonValue[] | undefined {
  const { propertyName } = objectOf(schema['discriminator']);
  const alternatives = schema[keywordIn(schema)];
  if (typeof propertyName !== 'string' || !isJsonArray(alternatives)) return undefined;
  const lists = alternatives.map((each) => requiredValues(spec, objectOf(each), propertyName));
  const names = lists.flat();
  const areApart = new Set(names).size === names.length;
  if (!areApart || lists.some(({ length }) => length === 0)) return undefined;
  const naming = (values: readonly JsonValue[] = []) => ({
    type: 'object',
    properties: { [propertyName]: { enum: values } },
    required: [propertyName],
  });
  const rules = alternatives.map((then, index) =>
    Object.fromEntries([
      ['if', naming(lists[index])],
      ['then', then],
    ]),
  );
  return [naming(names), ...rules];
}

/** Returns the values that a property may have; none if it can be absent or anything else. */
function requiredValues(spec: object, schema: JsonObject, name: string): JsonValue[] {
  const isRequired = ({ value }: Part) => [value['required'] ?? []].flat().includes(name);
  if (!partsOf(spec, { value: schema, path: [] }).some(isRequired)) return [];
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
