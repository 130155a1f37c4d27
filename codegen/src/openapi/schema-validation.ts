import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { orBoolean, orMeant } from '../document/closest.js';
import {
  formatFragment,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parsePointer,
} from '../document/json.js';
import type { SpecDocument, SpecNode } from '../document/spec-document.js';
import { discriminator, withChosenAlternatives } from './discriminator.js';
import { identityKeywords } from './plain-schema.js';
import { isUndeclared, withoutProse } from './schema-object.js';
import { multipleOf, partKeywords } from './schema-parts.js';

interface Mismatch {
  readonly place: SpecNode;
  readonly message: string;
}

/** The name of the whole document in ajv, so that references in it resolve. */
const documentName = 'openapi.yaml';

/** The compiler of 2020-12, which takes longer than a small document to create, so all share it. */
const dialect = createAjv();

/** Compiled schemas that refer to no other schema, by their JSON. */
const withoutReferences = new Map<string, ValidateFunction>();

const validators = new WeakMap<SpecDocument, Validator>();

/** Validates a value of the document. A schema that does not compile allows everything. */
export function mismatches(value: SpecNode, schema: SpecNode): Mismatch[] {
  const validate = compiled(schema);
  if (typeof validate !== 'function') return [];
  try {
    if (validate(value.value)) return [];
  } catch (error) {
    // The rule `schema` reports a schema that consists of itself.
    if (error instanceof RangeError) return [];
    throw error;
  }
  return (validate.errors ?? []).flatMap((error) => toMismatch(value, error));
}

/** Returns the places of a value that a schema does not allow, as JSON pointers. */
export function invalidPlaces(schema: SpecNode, value: JsonValue): string[] {
  const validate = compiled(schema);
  if (typeof validate !== 'function' || validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath }) => instancePath);
}

export function allowsEmptyObject(schema: SpecNode): boolean {
  const validate = compiled(schema);
  return typeof validate === 'function' && validate({});
}

export function compileError(schema: SpecNode): Error | undefined {
  const validate = compiled(schema);
  return validate instanceof Error ? validate : undefined;
}

function compiled(schema: SpecNode): ValidateFunction | Error | undefined {
  try {
    return validatorOf(schema.document).compile(target(schema));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** A `type` may be a list of names, but nobody who misspells a name means a list. */
const listOfTypes = '#/properties/type/anyOf/1/type';

/** Validates a schema of the document against JSON Schema 2020-12 itself. */
export function schemaErrors(schema: SpecNode): Mismatch[] {
  const { $schema: _refused, ...keywords } = schema.object ?? {};
  if (dialect.validateSchema(keywords)) return [];
  return (dialect.errors ?? [])
    .filter(({ schemaPath }) => schemaPath !== listOfTypes)
    .flatMap((error) => {
      const found = toMismatch(schema, error);
      return error.keyword === 'enum' ? found.flatMap(withTypeRemedy) : found;
    });
}

/** Completes a mistake in a `type`, unless it is a list, whose items have mistakes of their own. */
function withTypeRemedy({ place, message }: Mismatch): Mismatch[] {
  const { value, text = '' } = place;
  if (isJsonArray(value)) return [];
  const remedy = isKnownFormat(text) ? ` Write type: string and format: ${text}.` : '';
  return [{ place, message: message + (value === null ? ' Put null in quotes.' : remedy) }];
}

/** Returns the end of a message on an unknown `format`. */
export function orMeantFormat(name: string): string {
  return orMeant(name, Object.keys(dialect.formats));
}

/** Returns true if ajv validates this `format`. JSON Schema ignores unknown ones. */
export function isKnownFormat(name: string): boolean {
  return Object.hasOwn(dialect.formats, name);
}

function createAjv(options: Options = {}): Ajv2020 {
  // In strict mode ajv throws; the rule `schema` reports the same mistakes with their places. A
  // validator that runs once is not worth optimizing.
  const ajv = new Ajv2020({
    allErrors: true,
    // Errors have the schema around their keyword.
    verbose: true,
    strict: false,
    // YAML has numbers that JSON has not, such as `.inf`.
    strictNumbers: true,
    validateSchema: false,
    logger: false,
    // Otherwise every example would have a property `constructor`, from its prototype.
    ownProperties: true,
    code: { optimize: false },
    ...options,
  });
  addFormats.default(ajv);
  ajv.removeKeyword('multipleOf').addKeyword(multipleOf);
  return ajv;
}

class Validator {
  readonly ajv = createAjv({ discriminator: true });

  constructor(document: SpecDocument) {
    this.ajv.removeKeyword('discriminator').addKeyword(discriminator);
    this.ajv.addSchema(withChosenAlternatives(compilable(document.value)), documentName);
  }

  /** Compiles a schema, once for all schemas of all documents that differ only in their prose. */
  compile(schema: SpecNode): ValidateFunction | undefined {
    const text = JSON.stringify(compilable(withoutProse(schema)));
    if (text.includes('"$ref"')) {
      return this.ajv.getSchema(documentName + formatFragment(schema.path));
    }
    const validate = withoutReferences.get(text) ?? dialect.compile(JSON.parse(text));
    withoutReferences.set(text, validate);
    return validate;
  }
}

function target(schema: SpecNode): SpecNode {
  return Object.keys(withoutProse(schema)).join() === '$ref' ? schema.follow() : schema;
}

/**
 * Removes members that would mislead ajv. Rules refuse them: the keywords of
 * identity (but no property of that name), and required names that are no strings or no properties.
 */
function compilable(object: JsonObject, holder = ''): JsonObject {
  const holdsNames = holder === 'properties';
  const isProperty = (name: JsonValue) =>
    typeof name === 'string' && (partKeywords.includes(holder) || !isUndeclared(object, name));
  const strip = (value: JsonValue, key: string): JsonValue => {
    if (isJsonArray(value)) {
      const kept = key === 'required' ? value.filter(isProperty) : value;
      return kept.map((item) => strip(item, key));
    }
    return isJsonObject(value) ? compilable(value, key) : value;
  };
  return Object.fromEntries(
    Object.entries(object)
      .filter(([key]) => holdsNames || !identityKeywords.has(key))
      .map(([key, member]) => [key, strip(member, key)]),
  );
}

function validatorOf(document: SpecDocument): Validator {
  const validator = validators.get(document) ?? new Validator(document);
  validators.set(document, validator);
  return validator;
}

/** The errors of keywords that hold alternatives are dropped: the alternatives report their own. */
function toMismatch(root: SpecNode, error: ErrorObject): Mismatch[] {
  if (['if', 'anyOf'].includes(error.keyword)) return [];
  let place = root;
  for (const part of parsePointer(error.instancePath)) {
    place = place.get(part) ?? place.items[Number(part)] ?? place;
  }
  const { additionalProperty } = error.params;
  const extra = typeof additionalProperty === 'string' ? place.get(additionalProperty) : undefined;
  const what = place.path.length > root.path.length ? `${place.key} ` : '';
  const { allowedValues } = error.params;
  const end = Array.isArray(allowedValues)
    ? orMeant(place.text ?? '', allowedValues.map(String))
    : orBoolean(error.params.type, place.value);
  return [{ place: extra ?? place, message: `${what}${describe(error)}${end}` }];
}

function describe({ keyword, schema, params, message = 'is not valid' }: ErrorObject): string {
  // An empty enum is read as `not: {}`.
  if (keyword === 'not' && JSON.stringify(schema) === '{}') {
    return 'cannot be valid: an empty enum, or not: {}, allows no value; name the values';
  }
  const { additionalProperty, allowedValue, allowedValues } = params;
  if ('allowedValue' in params) return `${message}: ${JSON.stringify(allowedValue)}`;
  if (typeof additionalProperty === 'string') return `must not have ${additionalProperty}`;
  return Array.isArray(allowedValues) ? `${message}: ${allowedValues.join(', ')}` : message;
}
