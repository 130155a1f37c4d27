import { isDeepStrictEqual } from 'node:util';
import {
  formatFragment,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  target,
} from '../../codegen/src/document/json.js';
import { canRefer, kindOfMember, rewritten } from '../../codegen/src/document/openapi-places.js';
import { bodyKind } from '../../codegen/src/openapi/media-type.js';

/**
 * The keywords of schemas in OpenAPI 3.0.3 (§4.7.24), without `$ref`, and without `not`, which
 * allows less as soon as something in it is left out.
 */
const keywords = new Set(
  (
    'allOf anyOf oneOf items properties additionalProperties type enum multipleOf maximum ' +
    'exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems ' +
    'uniqueItems maxProperties minProperties required title description default deprecated ' +
    'readOnly writeOnly example format nullable discriminator xml externalDocs'
  ).split(' '),
);
/** The keywords of OpenAPI 3.1 that have another name in 3.0, or say nothing about values. */
const renamed = 'const examples contentEncoding contentMediaType $comment $defs'.split(' ');

/**
 * Returns a document in OpenAPI 3.1 as 3.0.3, for generators of clients that read nothing newer.
 * It leaves out all that 3.0 cannot say, so that a schema allows more, and a client takes each
 * answer of the service.
 *
 * @throws if a reference leads to what is left out, or a client signs in by its certificate
 */
export function asOpenApi30(document: object): JsonObject {
  const { webhooks: _, jsonSchemaDialect: _dialect, paths = {}, ...rest } = objectOf(document);
  const said = converted({ ...rest, paths }, 'document', document);
  rewritten(said, (object, kind) => {
    const { $ref } = object;
    const isLost =
      canRefer(kind) && typeof $ref === 'string' && target(said, $ref).value === undefined;
    if (isLost) throw new Error(`OpenAPI 3.0 cannot say ${$ref}.`);
    return object;
  });
  return { ...said, openapi: '3.0.3' };
}

function converted(object: JsonObject, kind: string, root: object): JsonObject {
  if (kind === 'securitySchemes' && object['type'] === 'mutualTLS') {
    throw new Error('OpenAPI 3.0 cannot say mutualTLS.');
  }
  if (kind === 'schemas') return schema30(object, root);
  const { responses = { default: { description: 'Any response.' } } } = object;
  return mapMembers(kind === 'operation' ? { ...object, responses } : object, (value, key) => {
    if (kind === 'components' && key === 'pathItems') return undefined;
    if (kind === 'document' && key === 'info') return info30(value);
    if (/^(document|operation)$/.test(kind) && key === 'security') return security30(value, root);
    return convertedValue(value, kindOfMember(kind, key), root);
  });
}

/** In 3.0 a key or a password has no roles. */
function security30(requirements: JsonValue, root: object): JsonValue {
  const isPlain = (name: string) => {
    const { type } =
      target(root, formatFragment(['components', 'securitySchemes', name])).value ?? {};
    return type === 'apiKey' || type === 'http';
  };
  return listOf(requirements).map((each) =>
    mapMembers(objectOf(each), (roles, name) => (isPlain(name) ? [] : roles)),
  );
}

function convertedValue(value: JsonValue, kind: string, root: object): JsonValue {
  if (kind === 'value') return value;
  if (isJsonArray(value)) return value.map((item) => convertedValue(item, kind, root));
  if (kind === 'schemas' && typeof value === 'boolean') return value ? {} : { not: {} };
  return isJsonObject(value) ? converted(value, kind, root) : value;
}

/** In 3.0 an interface has no summary, and a licence no identifier. */
function info30(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const { summary: _, license, ...info } = value;
  if (!isJsonObject(license)) return info;
  const { identifier: _identifier, ...licence } = license;
  return { ...info, license: licence };
}

/** The steps from a schema of 3.1 to one of 3.0, whose parts are converted already. */
const steps = [
  looser,
  withLists,
  withOneType,
  withNull,
  withLimits,
  withFormat,
  withPattern,
  withValues,
];

function schema30(
  { $ref, additionalProperties, ...besides }: JsonObject,
  root: object,
): JsonObject {
  const parts = mapMembers(besides, (value, key) =>
    convertedValue(value, kindOfMember('schemas', key), root),
  );
  const others =
    additionalProperties === undefined || typeof additionalProperties === 'boolean'
      ? additionalProperties
      : convertedValue(additionalProperties, 'schemas', root);
  const whole = { ...parts, ...(others !== undefined && { additionalProperties: others }) };
  const schema = steps.reduce((changed, step) => step(changed, besides, root), whole);
  const known = mapMembers(schema, (value, key) =>
    keywords.has(key) || key.startsWith('x-') ? value : undefined,
  );
  // Beside a reference, 3.0 ignores every keyword.
  if ($ref === undefined) return known;
  return Object.keys(known).length === 0 ? { $ref } : both(known, { $ref });
}

/** Makes a schema that also requires another one. */
function both(schema: JsonObject, other: JsonObject): JsonObject {
  return { ...schema, allOf: [...listOf(schema['allOf']), other] };
}

/**
 * Leaves out what would allow less without a keyword that is left out beside or below it: items
 * after others, properties besides those of a pattern, and that only one alternative may match.
 */
function looser(schema: JsonObject, original: JsonObject, root: object): JsonObject {
  const { oneOf, items, additionalProperties, ...rest } = schema;
  const isExact = oneOf === undefined || !losesKeyword(original['oneOf'], root);
  return {
    ...rest,
    ...(oneOf !== undefined && (isExact ? { oneOf } : { anyOf: oneOf })),
    ...(items !== undefined && { items: 'prefixItems' in schema ? {} : items }),
    ...(additionalProperties !== undefined &&
      !('patternProperties' in schema) && { additionalProperties }),
  };
}

/**
 * Returns true if a schema, one in it or one that it refers to has a keyword that 3.0 cannot say.
 *
 * @param seen the schemas that need not be looked at again
 */
function losesKeyword(
  schema: JsonValue | undefined,
  root: object,
  seen = new Set<JsonValue>(),
): boolean {
  if (isJsonArray(schema)) return schema.some((each) => losesKeyword(each, root, seen));
  if (!isJsonObject(schema) || seen.has(schema)) return false;
  seen.add(schema);
  const { $ref } = schema;
  if (typeof $ref === 'string' && losesKeyword(target(root, $ref).value, root, seen)) return true;
  return Object.entries(schema).some(([key, value]) => {
    const isSaid =
      key === 'pattern'
        ? isPattern30(value)
        : keywords.has(key) || renamed.includes(key) || /^(x-|\$ref$)/.test(key);
    const kind = kindOfMember('schemas', key);
    const inside = kind === '*schemas' && isJsonObject(value) ? Object.values(value) : value;
    return !isSaid || (/schemas$/.test(kind) && losesKeyword(inside, root, seen));
  });
}

/**
 * In a request, which is closed (D-05), one value or a list of such values becomes the list:
 * openapi-generator makes C# of the two that does not compile.
 */
function withLists(schema: JsonObject): JsonObject {
  const { properties, additionalProperties } = schema;
  if (additionalProperties !== false || !isJsonObject(properties)) return schema;
  return { ...schema, properties: mapMembers(properties, (value) => listAlone(objectOf(value))) };
}

function listAlone(schema: JsonObject): JsonObject {
  const { oneOf, example, ...rest } = schema;
  const [value, list, ...more] = listOf(oneOf);
  const isListOf =
    isJsonObject(list) && isDeepStrictEqual(list['items'], value) && more.length === 0;
  return isListOf
    ? { ...list, ...rest, ...(example !== undefined && { example: [example] }) }
    : schema;
}

/** In 3.0 a schema has one type: several are alternatives. An array says what its items are. */
function withOneType({ type, ...schema }: JsonObject): JsonObject {
  if (type === undefined) return schema;
  const types = listOf(type).filter((each) => each !== 'null');
  const isNullable = listOf(type).includes('null');
  const [only] = types;
  if (only === undefined) return { ...schema, nullable: true, enum: [null] };
  const nullable = isNullable && { nullable: true };
  const items = only === 'array' && schema['items'] === undefined && { items: {} };
  if (types.length === 1) return { ...schema, type: only, ...items, ...nullable };
  const anyOf = types.map((each) => ({ type: each, ...(each === 'array' && { items: {} }) }));
  return { ...both(schema, { anyOf }), ...nullable };
}

/** An alternative that is only `null` is `nullable` in 3.0. */
function withNull(schema: JsonObject): JsonObject {
  return ['anyOf', 'oneOf'].reduce((changed, key) => {
    const alternatives = listOf(changed[key]);
    const others = alternatives.filter((each) => !isNull(each));
    if (others.length === alternatives.length) return changed;
    const [only] = others;
    const { [key]: _, ...rest } = changed;
    const combined =
      others.length === 1 && isJsonObject(only) ? both(rest, only) : { ...rest, [key]: others };
    return { ...combined, nullable: true };
  }, schema);
}

function isNull(schema: JsonValue): boolean {
  const values = isJsonObject(schema) ? listOf(schema['enum']) : [];
  return values.length === 1 && values[0] === null;
}

/** A limit that is excluded is a limit and a mark in 3.0. */
function withLimits(schema: JsonObject): JsonObject {
  return ['Minimum', 'Maximum'].reduce((changed, side) => {
    const { [`exclusive${side}`]: limit, ...rest } = changed;
    const name = side.toLowerCase();
    if (typeof limit !== 'number') return rest;
    const other = Number(rest[name] ?? limit);
    if (side === 'Minimum' ? other > limit : other < limit) return rest;
    return { ...rest, [name]: limit, [`exclusive${side}`]: true };
  }, schema);
}

/** Bytes are a format in 3.0, and so are integers of more than 32 bits. */
function withFormat(schema: JsonObject): JsonObject {
  const { contentEncoding, contentMediaType, ...rest } = schema;
  if (rest['format'] !== undefined) return rest;
  if (rest['type'] === 'integer' && Number(rest['maximum'] ?? 0) >= 2 ** 31) {
    return { ...rest, format: 'int64' };
  }
  if (contentEncoding === 'base64') return { ...rest, format: 'byte' };
  // A text that contains JSON, for example, is no file.
  const isBinary =
    contentMediaType !== undefined &&
    ['allOf', 'anyOf', 'oneOf'].every((key) => rest[key] === undefined) &&
    (rest['type'] === undefined ||
      (rest['type'] === 'string' && bodyKind(String(contentMediaType)) === 'bytes'));
  return isBinary ? { ...rest, type: 'string', format: 'binary' } : rest;
}

/**
 * Escapes such as `\u00a0` are left out with their pattern, because generated PHP gives patterns to
 * PCRE, which does not know them. The service checks the pattern anyway.
 */
function withPattern({ pattern, ...schema }: JsonObject): JsonObject {
  return pattern !== undefined && isPattern30(pattern) ? { ...schema, pattern } : schema;
}

function isPattern30(pattern: JsonValue): boolean {
  return !/\\[pu]/i.test(String(pattern));
}

/** A constant is an `enum` of one value in 3.0, and there is one example. */
function withValues({ const: value, examples, ...schema }: JsonObject): JsonObject {
  const [example] = isJsonArray(examples) ? examples : [];
  return {
    ...(example !== undefined && { example }),
    ...schema,
    ...(value !== undefined && { enum: [value] }),
  };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return value === undefined ? [] : isJsonArray(value) ? value : [value];
}

/** Returns an object with other values; `undefined` leaves a member out. */
function mapMembers(
  object: JsonObject,
  change: (value: JsonValue, key: string) => JsonValue | undefined,
): JsonObject {
  const members = Object.entries(object).map(([key, value]) => [key, change(value, key)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as JsonObject;
}
