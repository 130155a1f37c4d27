import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.js';

/** Reports a keyword, and what to write instead. */
type Report = (keyword: string, message: string) => void;

/**
 * Returns a schema without what OpenAPI 3.0 has and many specs still write: `nullable`, and limits
 * that `exclusiveMinimum: true` excludes. Most tools read it as it is meant.
 */
export function plainSchema(schema: JsonObject, report: Report): JsonObject {
  let plain = withoutEmptyEnum(withListedExamples(schema, report), report);
  for (const side of ['Minimum', 'Maximum']) plain = withLimit(plain, side, report);
  return withNull(plain, report);
}

function withNull({ nullable, ...schema }: JsonObject, report: Report): JsonObject {
  if (typeof nullable !== 'boolean')
    return nullable === undefined ? schema : { nullable, ...schema };
  const { type } = schema;
  const isCombined = ['$ref', 'allOf', 'anyOf', 'oneOf', 'const'].some((key) => key in schema);
  const types = [type ?? []].flat();
  const written =
    isCombined || type === undefined
      ? "anyOf with { type: 'null' }"
      : `type: [${types.join(', ')}, 'null']`;
  report('nullable', `nullable belongs to OpenAPI 3.0; write ${nullable ? written : 'nothing'}.`);
  if (!nullable) return schema;
  if (isCombined) {
    const prose = Object.entries(schema).filter(([key]) => annotations.includes(key));
    const rest = Object.entries(schema).filter(([key]) => !annotations.includes(key));
    return { ...Object.fromEntries(prose), anyOf: [Object.fromEntries(rest), { type: 'null' }] };
  }
  const values = schema['enum'];
  return {
    ...schema,
    ...(type !== undefined && { type: [...new Set([...types, 'null'])] }),
    ...(isJsonArray(values) && { enum: [...new Set<JsonValue>([...values, null])] }),
  };
}

const annotations = [
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'example',
  'examples',
];

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
