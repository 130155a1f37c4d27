import {
  formatFragment,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Path,
} from './json.js';

/** Keywords that hold a schema or a list of schemas (JSON Schema 2020-12). */
const schemaHolders = (
  'items additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames ' +
  'not if then else oneOf anyOf allOf prefixItems contentSchema'
).split(' ');

/**
 * The objects of OpenAPI 3.1 in which references can stand: for each kind, the kinds of its
 * members. `*` stands for every other member; `*kind` is a mapping whose members are of that kind.
 * An object that can be a component has the name of its section (Components Object, §4.8.7). A
 * `value` is one of the interface or of an extension: a `$ref` in it is no reference.
 */
const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  document: {
    paths: '*pathItems',
    webhooks: '*pathItems',
    servers: 'servers',
    components: 'components',
    'x-derived': 'derived',
  },
  derived: { headers: '*headers', errors: '*mediaType', responses: 'derivedResponses' },
  derivedResponses: { '*': '*responses' },
  components: {
    schemas: '*schemas',
    responses: '*responses',
    parameters: '*parameters',
    examples: '*examples',
    requestBodies: '*requestBodies',
    headers: '*headers',
    securitySchemes: '*securitySchemes',
    links: '*links',
    callbacks: '*callbacks',
    pathItems: '*pathItems',
  },
  pathItems: { parameters: 'parameters', servers: 'servers', '*': 'operation' },
  operation: {
    parameters: 'parameters',
    requestBody: 'requestBodies',
    responses: '*responses',
    callbacks: '*callbacks',
    servers: 'servers',
  },
  servers: { variables: '*variables' },
  callbacks: { '*': 'pathItems' },
  parameters: { schema: 'schemas', example: 'value', examples: '*examples', content: '*mediaType' },
  headers: { schema: 'schemas', example: 'value', examples: '*examples', content: '*mediaType' },
  examples: { value: 'value' },
  links: { parameters: 'value', requestBody: 'value', server: 'servers' },
  requestBodies: { content: '*mediaType' },
  responses: { headers: '*headers', content: '*mediaType', links: '*links' },
  mediaType: {
    schema: 'schemas',
    example: 'value',
    examples: '*examples',
    encoding: '*encoding',
  },
  encoding: { headers: '*headers' },
  schemas: {
    properties: '*schemas',
    patternProperties: '*schemas',
    dependentSchemas: '*schemas',
    $defs: '*schemas',
    discriminator: 'discriminator',
    ...Object.fromEntries(schemaHolders.map((name) => [name, 'schemas'])),
    // The other members are values, also those that JSON Schema does not know.
    '*': 'value',
  },
  discriminator: { mapping: '*mapping' },
};

export const sections = Object.keys(places['components'] ?? {});

/** The mappings of which members can be extensions. Any other has names that the author chose. */
const extensible = ['*pathItems', '*responses', '*callbacks'];
/** Returns the reference to the component of a name, which the author of another probably meant. */
export function referenceTo(name: string, isThere: (path: Path) => boolean): string | undefined {
  const section = sections.find((each) => isThere(['components', each, name]));
  return section && formatFragment(['components', section, name]);
}

/** Returns the kind of a member of an object, or `other`. List items have the kind of the list. */
export function kindOfMember(kind: string, name: string): string {
  const isMapping = kind.startsWith('*');
  const members = places[kind] ?? {};
  if (Object.hasOwn(members, name)) return members[name] ?? 'other';
  if (kind === 'value' || (name.startsWith('x-') && (!isMapping || extensible.includes(kind)))) {
    return 'value';
  }
  if (isMapping) return kind.slice(1);
  return members['*'] ?? 'other';
}

/** Returns what takes the place of an object of a kind. */
type Rewrite = (object: JsonObject, kind: string, path: Path) => JsonObject;

/**
 * Returns a copy of an object, in which each object is rewritten.
 *
 * @param after gets an object whose members are rewritten
 * @param before gets one whose members will be
 */
export function rewritten(
  given: JsonObject,
  after: Rewrite,
  before: Rewrite = (object) => object,
  kind = 'document',
  path: Path = [],
): JsonObject {
  const inside = (value: JsonValue, its: string, at: Path): JsonValue => {
    if (isJsonArray(value)) return value.map((item, index) => inside(item, its, [...at, index]));
    return isJsonObject(value) ? rewritten(value, after, before, its, at) : value;
  };
  const members = Object.entries(before(given, kind, path)).map(([key, value]) => [
    key,
    inside(value, kindOfMember(kind, key), [...path, key]),
  ]);
  return after(Object.fromEntries(members), kind, path);
}

/** Returns the kind of the element at a path of the document. */
export function kindAt(path: Path): string {
  return path.reduce<string>(
    (kind, part) => (typeof part === 'number' ? kind : kindOfMember(kind, part)),
    'document',
  );
}

/**
 * Returns true if a reference of this kind leads to a component, and not to what takes its place.
 */
export function isComponent(kind: string): boolean {
  return kind !== 'pathItems' && `*${kind}` === places['components']?.[kind];
}

/** The members of a path item that are operations (Path Item Object, OpenAPI 3.1 §4.8.9). */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Headers that OpenAPI 3.1 ignores as parameters, because it describes them elsewhere. */
export const describedHeaders = ['accept', 'content-type', 'authorization'];

/** Returns true for an object whose `$ref` is a reference, and not a name or a part of a value. */
export function canRefer(kind: string): boolean {
  return kind !== 'value' && !kind.startsWith('*');
}

const prose = new Set(
  'title summary description example examples externalDocs tags bearerFormat $comment'.split(' '),
);

/** Returns true for members that only people read. Extensions are for people or the generator. */
export function isProse(key: string): boolean {
  return prose.has(key) || key.startsWith('x-');
}

/** Returns true for a keyword that says nothing about which values are allowed. */
export function isAnnotation(key: string): boolean {
  return isProse(key) || ['default', 'deprecated', 'readOnly', 'writeOnly'].includes(key);
}
