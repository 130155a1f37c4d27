import { basename, extname } from 'node:path';
import type { Path } from './json.js';

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
  document: { paths: '*pathItems', webhooks: '*pathItems', components: 'components' },
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
  pathItems: { parameters: 'parameters', '*': 'operation' },
  operation: {
    parameters: 'parameters',
    requestBody: 'requestBodies',
    responses: '*responses',
    callbacks: '*callbacks',
  },
  callbacks: { '*': 'pathItems' },
  parameters: { schema: 'schemas', example: 'value', examples: '*examples', content: '*mediaType' },
  headers: { schema: 'schemas', example: 'value', examples: '*examples', content: '*mediaType' },
  examples: { value: 'value' },
  links: { parameters: 'value', requestBody: 'value' },
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

/** Returns the kind of a member of an object, or `other`. List items have the kind of the list. */
export function kindOfMember(kind: string, name: string): string {
  const isMapping = kind.startsWith('*');
  if (kind === 'value' || (name.startsWith('x-') && (!isMapping || extensible.includes(kind)))) {
    return 'value';
  }
  if (isMapping) return kind.slice(1);
  return places[kind]?.[name] ?? places[kind]?.['*'] ?? 'other';
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

/** Returns the kind of the element at a path of the document. */
export function kindAt(path: Path): string {
  return path.reduce<string>(
    (kind, part) => (typeof part === 'number' ? kind : kindOfMember(kind, part)),
    'document',
  );
}

/**
 * Returns the last part of the pointer or the name of the file, in PascalCase for schemas and
 * files.
 *
 * @param taken with one of these names, the name gets a number
 */
export function componentName(
  file: string,
  path: Path,
  section: string,
  taken: ReadonlySet<string>,
): string {
  const ofFile = pascalCase(basename(file, extname(file)));
  const last = String(path.at(-1) ?? '');
  const isNamed = section !== 'schemas' && /^[a-z]\w*$/i.test(last);
  const own = isNamed ? last : pascalCase(last);
  const candidates = [own, `${ofFile}${own}`, `${pascalCase(section)}${ofFile}${own}`];
  const name = candidates.find((each) => /^[a-z]/i.test(each)) ?? own;
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}${number}`)) number += 1;
  return `${name}${number}`;
}

/** Returns letters and digits of ASCII, as OpenAPI requires of components. */
export function pascalCase(text: string): string {
  const words =
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[a-z0-9]+/gi) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
