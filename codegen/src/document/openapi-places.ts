import { formatFragment, type Path } from './json.js';

/**
 * The objects of OpenAPI 3.1 in which references can stand: for each kind, the kinds of its
 * members. `*` stands for every other member; `*kind` is a mapping whose members are of that kind.
 * An object that can be a component has the name of its section (Components Object, §4.8.7).
 */
const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  document: {
    paths: '*pathItems',
    webhooks: '*pathItems',
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
  pathItems: { parameters: 'parameters', '*': 'operation' },
  operation: {
    parameters: 'parameters',
    requestBody: 'requestBodies',
    responses: '*responses',
    callbacks: '*callbacks',
  },
  callbacks: { '*': 'pathItems' },
  parameters: { schema: 'schemas', examples: '*examples', content: '*mediaType' },
  headers: { schema: 'schemas', examples: '*examples', content: '*mediaType' },
  requestBodies: { content: '*mediaType' },
  responses: { headers: '*headers', content: '*mediaType', links: '*links' },
  mediaType: { schema: 'schemas', examples: '*examples', encoding: '*encoding' },
  encoding: { headers: '*headers' },
  schemas: {
    properties: '*schemas',
    patternProperties: '*schemas',
    dependentSchemas: '*schemas',
    $defs: '*schemas',
    discriminator: 'discriminator',
    default: 'other',
    const: 'other',
    enum: 'other',
    example: 'other',
    examples: 'other',
    '*': 'schemas',
  },
  discriminator: { mapping: '*mapping' },
};

export const sections = Object.keys(places['components'] ?? {});

/** Returns the reference to the component of a name, which the author of another probably meant. */
export function referenceTo(name: string, isThere: (path: Path) => boolean): string | undefined {
  const section = sections.find((each) => isThere(['components', each, name]));
  return section && formatFragment(['components', section, name]);
}

/** Returns the kind of a member of an object, or `other`. List items have the kind of the list. */
export function kindOfMember(kind: string, name: string): string {
  if (kind.startsWith('*')) return kind.slice(1);
  return places[kind]?.[name] ?? places[kind]?.['*'] ?? 'other';
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
