import { createHash } from 'node:crypto';
import {
  Ajv2020,
  type CodeKeywordDefinition,
  type ErrorObject,
  type ValidateFunction,
} from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  formatFragment,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  target,
} from '../src/document/json.js';
import { discriminator, withChosenAlternatives } from '../src/openapi/discriminator.js';
import { multipleOf } from '../src/openapi/schema-parts.js';

/**
 * Returns a document for Ajv: without the addresses of schemas, which only examples and the like
 * have, and with references to schemas that refer to others as `once`, if they are inside a value.
 * Elsewhere, Ajv asks the target of a reference which members it describes. A schema inside a value
 * that needs this answer becomes such a target itself, so that it is checked once too.
 */
export function validatable(spec: object): JsonObject {
  const schemas = Object.entries(objectOf(target(spec, '#/components/schemas').value));
  const referring = new Set(
    schemas
      .filter(([, schema]) => JSON.stringify(schema).includes('"$ref":'))
      .map(([name]) => formatFragment(['components', 'schemas', name])),
  );
  const targets: JsonValue[] = [];
  const rewrite = (value: JsonValue, isInner: boolean, hasNames = false): JsonValue => {
    if (isJsonArray(value)) return value.map((item) => rewrite(item, isInner));
    if (!isJsonObject(value)) return value;
    if (isInner && !hasNames && Object.keys(value).some((key) => /^uneval/.test(key))) {
      const index = targets.push({}) - 1;
      targets[index] = rewrite(value, false);
      return { once: formatFragment(['targets', index]) };
    }
    const members = Object.entries(value).flatMap(([key, member]): [string, JsonValue][] => {
      if (!hasNames && (key === 'const' || key === 'enum')) return [[key, member]];
      if (typeof member !== 'string') {
        const isInside = isInner || (!hasNames && inside.test(key));
        return [[key, rewrite(member, isInside, !hasNames && mappings.test(key))]];
      }
      if (/^\$(id|schema|(dynamicA|a)nchor)$/.test(key)) return [];
      return [[isInner && key === '$ref' && referring.has(member) ? 'once' : key, member]];
    });
    return withProto(Object.fromEntries(members));
  };
  return { ...objectOf(rewrite(withChosenAlternatives(spec), false)), targets };
}

/** The keywords whose schemas check what is inside a value. */
const inside = /^(.*(Properties|Items)|properties|items|contains)$/;

/** The keys under which schemas have names. */
const mappings = /^(properties|patternProperties|dependentSchemas|schemas)$/;

/** Ajv ignores a property of this name, but not a pattern of it. */
function withProto(schema: JsonObject): JsonObject {
  const { properties, patternProperties } = schema;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, '__proto__')) return schema;
  const { ['__proto__']: own = {} } = properties;
  return { ...schema, patternProperties: { ...objectOf(patternProperties), '^__proto__$': own } };
}

/**
 * Defines a keyword that is a reference whose schema checks each value once. Otherwise,
 * alternatives that contain themselves would take twice the time with each level of a value.
 */
function addOnce(ajv: Ajv2020): void {
  const noErrors: ErrorObject[] = [];
  const known = new Map<string, (value: unknown, at?: { instancePath: string }) => boolean>();
  const checkOf = (reference: string) => {
    const found = new WeakMap<object, readonly ErrorObject[]>();
    // It is compiled when it is first needed, because a schema may contain itself.
    let validate: ValidateFunction | undefined;
    const check = (value: unknown, { instancePath = '' } = {}) => {
      // Texts and numbers cannot be keys. They become a new object each time, so none is found.
      const key = Object(value);
      let errors = found.get(key);
      if (errors === undefined) {
        validate ??= ajv.getSchema(`openapi${reference}`);
        // The errors of alternatives would double with each level too.
        errors = validate?.(value) === false ? (validate.errors ?? []).slice(0, 20) : noErrors;
        found.set(key, errors);
      }
      if (errors.length === 0) return true;
      const place = (error: ErrorObject) => instancePath + error.instancePath;
      check.errors = errors.map((each) => ({ ...each, instancePath: place(each) }));
      return false;
    };
    check.errors = noErrors;
    known.set(reference, check);
    return check;
  };
  ajv.addKeyword({
    keyword: 'once',
    compile: (reference: string) => known.get(reference) ?? checkOf(reference),
  });
}

const { source, flags } = new RegExp(addFormats.default.get('url') as RegExp);
const urls = new RegExp(source.replace('\\S+(?::\\S*)?@', '\\S+@'), flags);

/** Checks `format: url` in linear time. The pattern of ajv-formats takes quadratic time. */
function isUrl(text: string): boolean {
  return !/\s/.test(text) && urls.test(text);
}

/**
 * Makes `contains` forget why an item does not match before it tries the next one. Ajv keeps all
 * errors until the end, which can be some gigabytes.
 */
function forgetItems(ajv: Ajv2020): void {
  const contains = ajv.getKeyword('contains') as CodeKeywordDefinition;
  const before = 'unevaluatedItems';
  const code: CodeKeywordDefinition['code'] = (context, ruleType) => {
    const { subschema } = context;
    context.subschema = (...item) => {
      const state = subschema.apply(context, item);
      context.reset();
      return state;
    };
    contains.code(context, ruleType);
  };
  ajv.removeKeyword('contains').addKeyword({ ...contains, before, code });
}

/**
 * Creates the validator of requests.
 *
 * @param spec the document as `validatable` returns it
 */
export function createAjv(spec: object): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    discriminator: true,
    // Infinity is no number: JSON has `1e999`.
    strictNumbers: true,
    validateSchema: false,
    logger: false,
    ownProperties: true,
    // Ajv looks up the members that it has evaluated in an object, which has a `constructor` too,
    // and which it does not always make before it notes the members that match a pattern.
    code: {
      process: (code) =>
        code
          .replaceAll(/!(props\d+)\[(key\d+)\]/g, '!Object.hasOwn($1,$2)')
          .replaceAll(/(props\d+)\[(key\d+)\]\s*=\s*true/g, '($1??={})[$2]=true'),
    },
  });
  addFormats.default(ajv);
  ajv.addFormat('url', isUrl);
  // ajv-formats looks for one line of base64 among others, overflows the stack with 8 MB, and takes
  // `urn:uuid:` before a UUID.
  const isBase64 = (text: string) => text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text);
  ajv.addFormat('byte', isBase64);
  ajv.addFormat('uuid', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i);
  // Ajv checks types without this definition of the keyword, and then what this one adds: beyond
  // these numbers, another integer than the one that was sent would arrive.
  ajv.removeKeyword('type').addKeyword({
    keyword: 'type',
    type: 'number',
    validate: (type: string | readonly string[], value: number) =>
      Number.isSafeInteger(value) || !type.includes('integer') || type.includes('number'),
    error: { message: `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}` },
  });
  ajv.removeKeyword('multipleOf').addKeyword(multipleOf);
  ajv.removeKeyword('discriminator').addKeyword(discriminator);
  forgetItems(ajv);
  // Ajv's own check compares each object with all others, which takes quadratic time.
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    validate: (isUnique: boolean, list: readonly unknown[]) =>
      !isUnique || new Set(list.map(equalityKey)).size === list.length,
    error: { message: 'must NOT have duplicate items' },
  });
  addOnce(ajv);
  // Noting which members a schema has evaluated takes time, and few interfaces need it.
  ajv.opts.unevaluated = JSON.stringify(spec).includes('"unevaluated');
  return ajv.addSchema(spec, 'openapi');
}

const keys = new WeakMap<object, string>();

/** Returns the same key for equal values. What is inside several lists is read once. */
function equalityKey(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const known = keys.get(value);
  if (known !== undefined) return known;
  const members = Object.entries(value).map(
    ([name, each]) => JSON.stringify(name) + equalityKey(each),
  );
  const text = isJsonArray(value) ? `[${members.join()}` : `{${members.sort().join()}`;
  const key = text.length < 50 ? text : createHash('sha256').update(text).digest('base64url');
  keys.set(value, key);
  return key;
}
