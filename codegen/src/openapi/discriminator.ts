import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
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

/** Returns a document for validators, of which few know discriminators and mappings. */
export function withNamedAlternatives(spec: object): JsonObject {
  const rewrite = (value: unknown): unknown => {
    if (isJsonArray(value)) return value.map(rewrite);
    if (!isJsonObject(value)) return value;
    const named = namedAlternatives(spec, value);
    const keyword = value['oneOf'] === undefined ? 'anyOf' : 'oneOf';
    const members = Object.entries(named ? { ...value, [keyword]: named } : value);
    return Object.fromEntries(members.map(([key, member]) => [key, rewrite(member)]));
  };
  return objectOf(rewrite(spec));
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
  const property = partsOf(spec, { value: objectOf(schema), path: [] })
    .filter(({ value }) => Object.hasOwn(objectOf(value['properties']), propertyName))
    .flatMap((part) => memberSchemas(part, propertyName))
    .flatMap((member) => partsOf(spec, member).map(({ value }) => value));
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
