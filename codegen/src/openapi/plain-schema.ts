import { closest } from '../document/closest.js';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../document/json.js';
import { isAnnotation } from '../document/openapi-places.js';

/**
 * The keywords of JSON Schema 2020-12 and OpenAPI 3.1 §4.8.24, without those that give a schema
 * another dialect or address: all tools read the document as one file.
 */
const keywords = new Set(
  (
    '$ref $defs $comment ' +
    'allOf anyOf oneOf not if then else dependentSchemas prefixItems items contains properties ' +
    'patternProperties additionalProperties propertyNames unevaluatedItems unevaluatedProperties ' +
    'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength ' +
    'minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties ' +
    'minProperties required dependentRequired title description default deprecated readOnly ' +
    'writeOnly examples format contentEncoding contentMediaType contentSchema ' +
    'discriminator xml externalDocs example'
  ).split(' '),
);

/** The keywords that ajv obeys anywhere, even in examples. The rule `schema` refuses them. */
export const identityKeywords: ReadonlySet<string> = new Set(
  '$schema $id $anchor $dynamicRef $dynamicAnchor $vocabulary'.split(' '),
);

/** The dialects of JSON Schema that OpenAPI 3.1 documents have anyway. */
export const ownDialects =
  /^https:\/\/(spec\.openapis\.org\/oas\/3\.1|json-schema\.org\/draft\/2020-12)\//;

/** Returns the keyword that was probably meant by a name that is none. */
export function meantKeyword(name: string): string | undefined {
  return isKeyword(name) ? undefined : closest(name, keywords);
}

function isKeyword(name: string): boolean {
  return keywords.has(name) || identityKeywords.has(name) || name.startsWith('x-');
}

/** Reports a keyword, and what to write instead. */
type Report = (keyword: string, message: string) => void;

/**
 * Returns a schema without what OpenAPI 3.0 has and many specs still write: `nullable`, and limits
 * that `exclusiveMinimum: true` excludes. Most tools read it as it is meant.
 */
export function plainSchema(schema: JsonObject, report: Report): JsonObject {
  for (const key of Object.keys(schema)) {
    if (isKeyword(key) || key === 'nullable' || meantKeyword(key)) continue;
    report(key, `${key} is not a keyword of schemas, and has no effect; write x-${key}.`);
  }
  let plain = withoutEmptyEnum(withListedExamples(withoutOwnDialect(schema), report), report);
  for (const side of ['Minimum', 'Maximum']) plain = withLimit(plain, side, report);
  return withNull(plain, report);
}

function withoutOwnDialect({ $schema, ...schema }: JsonObject): JsonObject {
  const isOwn = typeof $schema === 'string' && ownDialects.test($schema);
  return isOwn || $schema === undefined ? schema : { $schema, ...schema };
}

function withNull(given: JsonObject, report: Report): JsonObject {
  const { nullable, ...schema } = given;
  if (typeof nullable !== 'boolean') return given;
  const { type } = schema;
  const isCombined = ['$ref', 'allOf', 'anyOf', 'oneOf', 'const'].some((key) => key in schema);
  const types = [type ?? []].flat().filter((name) => name !== 'null');
  const written =
    isCombined || type === undefined
      ? "anyOf with { type: 'null' }"
      : `type: [${types.join(', ')}, 'null']`;
  report('nullable', `nullable belongs to OpenAPI 3.0; write ${nullable ? written : 'nothing'}.`);
  if (!nullable) return schema;
  if (isCombined) {
    const prose = Object.entries(schema).filter(([key]) => isAnnotation(key));
    const rest = Object.entries(schema).filter(([key]) => !isAnnotation(key));
    return { ...Object.fromEntries(prose), anyOf: [Object.fromEntries(rest), { type: 'null' }] };
  }
  const values = schema['enum'];
  return {
    ...schema,
    ...(type !== undefined && { type: [...types, 'null'] }),
    ...(isJsonArray(values) && { enum: [...new Set<JsonValue>([...values, null])] }),
  };
}

/** @param side `Minimum` or `Maximum` */
function withLimit(schema: JsonObject, side: string, report: Report): JsonObject {
  const [keyword, limit] = [`exclusive${side}`, side.toLowerCase()];
  const { [keyword]: isExclusive, [limit]: value, ...rest } = schema;
  if (typeof isExclusive !== 'boolean') return schema;
  const isLimit = isExclusive && value !== undefined;
  const written = isLimit ? `${keyword}: ${value}, without ${limit}` : 'nothing';
  report(keyword, `${keyword}: ${isExclusive} belongs to OpenAPI 3.0; write ${written}.`);
  if (isLimit) return { ...rest, [keyword]: value };
  return value === undefined ? rest : { ...rest, [limit]: value };
}

/** Parameters and media types have a mapping of examples, schemas have a list. */
function withListedExamples(schema: JsonObject, report: Report): JsonObject {
  const { examples } = schema;
  if (!isJsonObject(examples)) return schema;
  report('examples', 'The examples of a schema are a list; write only the values.');
  return { ...schema, examples: Object.values(examples) };
}

/** Ajv throws for an empty `enum`. */
function withoutEmptyEnum(schema: JsonObject, report: Report): JsonObject {
  const { enum: values, ...rest } = schema;
  if (!isJsonArray(values) || values.length > 0) return schema;
  report('enum', 'An empty enum allows no value; write not: {}.');
  return { ...rest, not: {} };
}
