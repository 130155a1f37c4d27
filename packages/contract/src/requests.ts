import { describeRequest, follow } from './generated/described-request.gen.js';
import { isJsonObject, type JsonObject, type Part, target } from './generated/json.gen.js';
import { type SpecDocument, type SpecSchema, spec } from './spec.js';

export { decoded, numberIn } from './generated/described-request.gen.js';

/** A value in a request: a body, a parameter, a field of an object, or the items of a list. */
export interface DescribedValue {
  /** Its schema without references: `allOf` has their targets. A schema may contain itself. */
  readonly schema: SpecSchema;
  /** Its schema, with the parts and alternatives that this consists of. */
  readonly forms: readonly SpecSchema[];
  /** True if it can be an object with fields. */
  readonly hasFields: boolean;
  /** How many items it may have if it is a list; undefined if it cannot be one. */
  readonly maxItems: number | undefined;
  /** Returns one of its fields; undefined if no form has it. */
  readonly field: (name: string) => DescribedValue | undefined;
  /** Returns its items, those of all forms as one value. */
  readonly items: () => DescribedValue;
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** Its example is one of the schema. */
  readonly value: DescribedValue;
}

/** The requests of an operation as the spec describes them. */
export interface RequestDescription {
  readonly isDeprecated: boolean;
  readonly parameters: readonly DescribedParameter[];
  /** The JSON body. */
  readonly requestBody: DescribedValue | undefined;
}

/** The place of an operation in the spec. */
interface OperationPlace {
  readonly path: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
}

/**
 * Adds to an operation what the spec says about its requests. It takes a while, so each is
 * described once.
 */
export function describeOperation<Place extends OperationPlace>(
  operation: Place,
  document: Pick<SpecDocument, 'paths' | 'components'> = spec,
): Place & RequestDescription {
  const { path, method } = operation;
  const { parameters, body } = describeRequest(document, path, method);
  const resolve = referenceResolver(document);
  const content = body.value['content'] as unknown as Contents | undefined;
  const schema = content?.['application/json']?.schema;
  return {
    ...operation,
    isDeprecated: document.paths[path]?.[method]?.['deprecated'] === true,
    parameters: parameters.map((part) => describeParameter(part, resolve)),
    requestBody: schema && describeValue(resolve(schema)),
  };
}

type Contents = Readonly<Record<string, { readonly schema?: SpecSchema }>>;

function describeParameter({ value }: Part, resolve: ReferenceResolver): DescribedParameter {
  const { name, in: place, required, deprecated, schema = {}, example } = value;
  const shown = { ...(schema as object), ...(example !== undefined && { examples: [example] }) };
  return {
    name: String(name),
    in: place as DescribedParameter['in'],
    isRequired: required === true,
    isDeprecated: deprecated === true,
    value: describeValue(resolve(shown)),
  };
}

function describeValue(schema: SpecSchema): DescribedValue {
  const forms = formsOf(schema);
  const lists = forms.flatMap(({ items, maxItems }) =>
    items === undefined ? [] : [{ items, maxItems: Number(maxItems ?? Number.POSITIVE_INFINITY) }],
  );
  // Made when they are first asked for, because a schema may contain itself.
  const fields = new Map<string, DescribedValue>();
  let ofItems: DescribedValue | undefined;
  return {
    schema,
    forms,
    hasFields: forms.some(({ properties }) => properties !== undefined),
    maxItems: lists.length === 0 ? undefined : Math.max(...lists.map(({ maxItems }) => maxItems)),
    field(name) {
      const known = fields.get(name);
      if (known !== undefined) return known;
      const described = forms.flatMap(({ properties = {} }): readonly SpecSchema[] =>
        Object.hasOwn(properties, name) ? [properties[name] ?? {}] : [],
      );
      if (described.length === 0) return undefined;
      const field = describeValue({ anyOf: described });
      fields.set(name, field);
      return field;
    },
    items() {
      ofItems ??= describeValue({ anyOf: lists.map(({ items }) => items) });
      return ofItems;
    },
  };
}

function formsOf(schema: SpecSchema): SpecSchema[] {
  const { allOf = [], oneOf = [], anyOf = [] } = schema;
  return [schema, ...[...allOf, ...oneOf, ...anyOf].flatMap(formsOf)];
}

/** Returns a schema without references. */
type ReferenceResolver = (schema: SpecSchema) => SpecSchema;

/**
 * Creates the resolver of a document. The same schema is resolved once, so that one may contain
 * itself.
 */
function referenceResolver(document: object): ReferenceResolver {
  const known = new Map<SpecSchema, SpecSchema>();
  const all = (schemas: readonly SpecSchema[]) => schemas.map(resolve);

  function resolve(schema: SpecSchema): SpecSchema {
    const done = known.get(schema);
    if (done !== undefined) return done;
    const { $ref, ...own } = schema;
    const named = $ref === undefined ? [] : [target(document, $ref).value as unknown as SpecSchema];
    const [lone] = Object.keys(own).length === 0 ? named : [];
    if (lone !== undefined) return resolve(lone);
    const { properties, items, prefixItems, oneOf, anyOf, allOf = [] } = own;
    const resolved = {};
    known.set(schema, resolved);
    return Object.assign(resolved, own, {
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, field]) => [name, resolve(field)]),
        ),
      }),
      ...(items && { items: resolve(items) }),
      ...(prefixItems && { prefixItems: all(prefixItems) }),
      ...(oneOf && { oneOf: all(oneOf) }),
      ...(anyOf && { anyOf: all(anyOf) }),
      ...([...named, ...allOf].length > 0 && { allOf: all([...named, ...allOf]) }),
    });
  }
  return resolve;
}

/** The components of a document, by section and name. */
type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Returns the requests of a spec as a document, for `express-openapi-validator`.
 *
 * It compiles the schema of every reference that it meets, also of those in responses, which it
 * never validates. Those took a third of the time in which a process starts. So there are no
 * responses, no components that only they refer to, and no reference where it looks a schema up:
 * the schema of a body or a parameter.
 *
 * It would also refuse characters in the query that RFC 3986 allows, and the `+` that
 * `URLSearchParams` writes for a space, and it would round integers of parameters.
 */
export function requestSpec(document: SpecDocument = spec) {
  const { paths, components, ...others } = JSON.parse(
    JSON.stringify(document, (_name, part) =>
      typeof part?.operationId === 'string' ? { ...part, responses: {} } : part,
    ),
    (_name, part) =>
      part?.schema === undefined
        ? part
        : {
            ...part,
            schema: part.in
              ? withSafeIntegers(document, part.schema)
              : follow(document, { value: part.schema, path: [] }).value,
            ...(part.in === 'query' && { allowReserved: true }),
          },
  );
  return { ...others, paths, components: componentsOf(paths, components) };
}

/** Limits integers, and those of a list, to what JavaScript does not round. */
function withSafeIntegers(document: SpecDocument, referring: JsonObject): JsonObject {
  const { value: schema } = follow(document, { value: referring, path: [] });
  const { type, items } = schema;
  if (isJsonObject(items)) return { ...schema, items: withSafeIntegers(document, items) };
  if (type !== 'integer') return schema;
  return { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...schema };
}

/**
 * Returns the components that a part of a spec refers to, and those that they refer to. Security
 * schemes are named without a reference.
 */
function componentsOf(part: unknown, { securitySchemes = {}, ...all }: Components): Components {
  const found: Record<string, Record<string, unknown>> = { securitySchemes };
  const collect = (from: unknown) => {
    for (const [, section = '', name = ''] of JSON.stringify(from).matchAll(reference)) {
      if (found[section]?.[name] !== undefined) continue;
      const component = all[section]?.[name];
      found[section] = { ...found[section], [name]: component };
      collect(component);
    }
  };
  collect(part);
  return found;
}

const reference = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g;
