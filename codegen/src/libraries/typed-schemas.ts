import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
} from '../document/json.js';
import { kindOfMember } from '../document/openapi-places.js';
import { withNamedAlternatives } from '../openapi/discriminator.js';
import {
  choicesOf,
  commonTypes,
  impliedTypes,
  ownTypes,
  partKeywords,
  partsOf,
  typeNames,
  valuesOf,
} from '../openapi/schema-parts.js';

// openapi-typescript reads several combinations of keywords otherwise than validators: it ignores
// keywords beside `$ref` and `enum`, adds the alternatives of `anyOf` to the properties beside
// them, and takes `{ type: object }` for an object without members. This pass rewrites each schema
// into an equal one in which keywords stand alone: `$ref`, `enum`, `const`, or a type with its own
// keywords; alternatives of such under `oneOf`; all of such under `allOf`. Their types are right.
// The guide lists the rules that no type can express.

/** Rewrites all schemas of a document. */
export function withTypedSchemas(spec: JsonObject): JsonObject {
  const document = withNamedAlternatives(spec);
  const schemas = new TypedSchemas(document);
  const rewrite = (value: JsonValue, kind: string): JsonValue => {
    if (kind === 'schemas') return schemas.of(value);
    if (isJsonArray(value)) return value.map((item) => rewrite(item, kind));
    if (!isJsonObject(value)) return value;
    return mapMembers(value, (member, key) => rewrite(member, kindOfMember(kind, key)));
  };
  return mapMembers(document, (member, key) => rewrite(member, kindOfMember('document', key)));
}

/** Facts about a whole schema, by which its parts are rewritten. */
interface Whole {
  /** The types of its values, as far as they are known. */
  readonly types: readonly string[] | undefined;
  /** True if some part names properties. A type for all other names would hide misspelt ones. */
  readonly namesProperties: boolean;
}

const noWhole: Whole = { types: undefined, namesProperties: false };
const never: JsonObject = { enum: [] };

/** The keywords that become comments, modifiers, and values that editors propose. */
const annotations = new Set(
  'title description summary format deprecated default example examples readOnly x-extensible-enum'.split(
    ' ',
  ),
);

class TypedSchemas {
  readonly #spec: JsonObject;
  readonly #types = new Map<JsonObject, readonly string[] | undefined>();

  constructor(spec: JsonObject) {
    this.#spec = spec;
  }

  /** Returns an equal schema in which keywords stand alone. */
  of(schema: JsonValue, whole = noWhole): JsonObject {
    if (!isJsonObject(schema)) return schema === false ? never : {};
    const kept = Object.entries(schema).filter(([keyword]) => annotations.has(keyword));
    const parts = this.#withoutRepeated(this.#partsOf(schema, whole)).map(asOpenObject);
    const [only = {}] = parts;
    return { ...Object.fromEntries(kept), ...(parts.length > 1 ? { allOf: parts } : only) };
  }

  /** Returns the schemas that a value has to meet all. */
  #partsOf(schema: JsonValue, inherited: Whole): JsonObject[] {
    if (!isJsonObject(schema)) return schema === false ? [never] : [];
    const { $ref, allOf, anyOf, oneOf: exactlyOne } = schema;
    const whole = {
      types: commonTypes([this.#typesOf(schema), inherited.types]) ?? impliedTypes(schema),
      namesProperties: inherited.namesProperties || namesProperties(schema),
    };
    if (whole.types?.length === 0) return [never];
    return [
      ...(typeof $ref === 'string' ? [{ $ref }] : []),
      ...this.#own(schema, whole),
      ...listOf(allOf).flatMap((part) => this.#partsOf(part, whole)),
      ...[anyOf, exactlyOne]
        .filter(isJsonArray)
        .map((choice) => oneOf(choice.map((each) => this.of(each, whole)))),
    ];
  }

  /** Returns what a schema says without the help of others. */
  #own(schema: JsonObject, { types = [], namesProperties }: Whole): JsonObject[] {
    const values = valuesOf(schema);
    if (values !== undefined) return [literals(schema, values)];
    const keywords = {
      ...(types.includes('object') && this.#objectKeywords(schema, namesProperties)),
      ...(types.includes('array') && this.#arrayKeywords(schema)),
    };
    const names = Object.keys(keywords).length > 0 ? types : typeNames(schema);
    const [only = '', ...others] = names;
    return names.length === 0 ? [] : [{ type: others.length > 0 ? names : only, ...keywords }];
  }

  /** Returns no keywords if all objects are valid. */
  #objectKeywords(schema: JsonObject, namesProperties: boolean): JsonObject {
    const { additionalProperties, unevaluatedProperties, patternProperties } = schema;
    const declared = objectOf(schema['properties']);
    const patterns = Object.values(objectOf(patternProperties));
    // Beside other schemas, an index signature would also apply to the properties of these.
    const anything = unevaluatedProperties ? true : undefined;
    const others = additionalProperties ?? (isAlone(schema) ? unevaluatedProperties : anything);
    const isOpen = others === undefined || others === true || isEmptyObject(others);
    const otherTypes = isOpen ? [] : [...patterns, ...(others === false ? [] : [others])];
    const undeclared = isOpen ? {} : oneOf(otherTypes.map((each) => this.of(each)));
    const required = listOf(schema['required']).map((name) => [String(name), undeclared] as const);
    const properties = {
      ...Object.fromEntries(required.filter(([name]) => !Object.hasOwn(declared, name))),
      ...mapMembers(declared, (property) => property !== false && this.of(property)),
    };
    const names = Object.keys(properties);
    if (names.length === 0 && others === undefined && patterns.length === 0) return {};
    const hasIndex = isOpen
      ? others !== undefined || patterns.length > 0 || !namesProperties
      : otherTypes.length > 0;
    // An index signature also applies to the properties.
    const index = isOpen || [...Object.values(properties).filter(isJsonObject), undeclared];
    return {
      ...(names.length > 0 && { properties, required: required.map(([name]) => name) }),
      ...(hasIndex && { additionalProperties: index === true || oneOf(index) }),
      ...(names.length === 0 && !hasIndex && { additionalProperties: false }),
    };
  }

  #arrayKeywords(schema: JsonObject): JsonObject {
    const { prefixItems, minItems, maxItems } = schema;
    const items = schema['items'] ?? (isAlone(schema) ? schema['unevaluatedItems'] : undefined);
    return {
      ...(prefixItems !== undefined && {
        prefixItems: listOf(prefixItems).map((item) => this.of(item)),
      }),
      ...(items !== undefined && { items: items !== false && this.of(items) }),
      ...(minItems !== undefined && { minItems }),
      ...(maxItems !== undefined && { maxItems }),
    };
  }

  /** Removes types that another part implies. */
  #withoutRepeated(parts: readonly JsonObject[]): JsonObject[] {
    const isBare = (part: JsonObject) => Object.keys(part).join() === 'type';
    const kept = parts.filter((part) => !isBare(part));
    for (const part of parts.filter(isBare)) {
      const names = typeNames(part);
      const implies = (other: JsonObject) =>
        this.#typesOf(other)?.every((name) => names.includes(name));
      if (!kept.some(implies)) kept.push(part);
    }
    return kept;
  }

  /** Returns the types that values can have, as far as a schema and its parts name them. */
  #typesOf(schema: JsonValue): readonly string[] | undefined {
    if (!isJsonObject(schema)) return schema === false ? [] : undefined;
    if (this.#types.has(schema)) return this.#types.get(schema);
    // Schemas in a circle say nothing about each other.
    this.#types.set(schema, undefined);
    const lists = partsOf(this.#spec, { value: schema, path: [] }).flatMap((part) => [
      ownTypes(part.value),
      ...choicesOf(part).map((choice) => {
        const all = choice.map(({ value }) => this.#typesOf(value));
        return all.includes(undefined) ? undefined : all.flatMap((list) => list ?? []);
      }),
    ]);
    const types = commonTypes(lists);
    this.#types.set(schema, types);
    return types;
  }
}

function literals(schema: JsonObject, values: readonly JsonValue[]): JsonObject {
  const { type, enum: listed, const: constant } = schema;
  // openapi-typescript adds null for its type, and ignores the values of objects and lists.
  const isMisread =
    type === 'object' ||
    type === 'array' ||
    (typeNames(schema).includes('null') && !values.includes(null));
  return {
    ...(type !== undefined && !isMisread && { type }),
    ...(constant === undefined || constant === null ? { enum: values } : { const: constant }),
    ...(listed !== undefined && constant !== undefined && { enum: values }),
  };
}

/** An object without keywords may have any members. */
function asOpenObject(part: JsonObject): JsonObject {
  const isOther = ['properties', 'additionalProperties', 'enum', 'const'].some((each) =>
    Object.hasOwn(part, each),
  );
  return isOther || !typeNames(part).includes('object')
    ? part
    : { ...part, additionalProperties: true };
}

function oneOf(schemas: readonly JsonObject[]): JsonObject {
  const different = [...new Map(schemas.map((each) => [JSON.stringify(each), each])).values()];
  const [only, ...others] = different;
  if (only === undefined) return never;
  return others.length === 0 ? only : { oneOf: different };
}

const otherSchemas = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'];

/** Returns true if no other schema describes members of the value too. */
function isAlone(schema: JsonObject): boolean {
  return !otherSchemas.some((keyword) => Object.hasOwn(schema, keyword));
}

function namesProperties(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return false;
  const { $ref, properties, additionalProperties, patternProperties } = schema;
  if ($ref !== undefined || additionalProperties !== undefined) return true;
  if ([properties, patternProperties].some((each) => Object.keys(objectOf(each)).length > 0)) {
    return true;
  }
  return partKeywords.some((each) => listOf(schema[each]).some(namesProperties));
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return isJsonArray(value) ? value : [value];
}

function isEmptyObject(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function mapMembers(
  object: JsonObject,
  change: (member: JsonValue, key: string) => JsonValue,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, member]) => [key, change(member, key)]),
  );
}
