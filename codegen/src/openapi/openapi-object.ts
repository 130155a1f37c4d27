import type { Finding } from '../document/finding.js';
import type { SpecDocument, SpecNode } from '../document/spec-document.js';
import {
  type MediaTypeObject,
  type ParameterObject,
  type ResponseObject,
  readParameter,
  readResponse,
} from './message-objects.js';
import { readPaths } from './operation-object.js';

/** OpenAPI Object, OpenAPI 3.1 §4.8.1. */
export type OpenApiObject = ReturnType<typeof readOpenApi>;

interface Reading {
  /** False if parts could not be read. Then what nothing uses may be used there. */
  readonly isWhole?: boolean;
  /** Parts that the author should write in another form. */
  readonly notes?: readonly Finding[];
}

export function readOpenApi(document: SpecDocument, { isWhole = true, notes = [] }: Reading = {}) {
  const { root } = document;
  const paths = readPaths(root.get('paths'), root.get('security'));
  return {
    document,
    root,
    paths,
    operations: paths.flatMap(({ operations }) => operations),
    components: readComponents(root.get('components')),
    /** The names of the declared tags (Tag Object, §4.8.22). */
    tags: (root.get('tags')?.items ?? []).flatMap((tag) => tag.get('name')?.text ?? []),
    isWhole,
    notes,
  };
}

/** Returns all parameters and headers of the document, each once. */
export function parametersOf(api: OpenApiObject): ParameterObject[] {
  return once([
    ...api.operations.flatMap(({ parameters }) => parameters),
    ...responsesOf(api).flatMap(({ headers }) => [...headers.values()]),
    ...api.components.parameters,
    ...api.components.headers,
  ]);
}

/** Returns the bodies of all requests and responses of the document, each once. */
export function mediaTypesOf(api: OpenApiObject): MediaTypeObject[] {
  return once([
    ...api.operations.flatMap(({ requestBody }) => requestBody?.content ?? []),
    ...responsesOf(api).flatMap(({ content }) => content),
  ]);
}

/** Returns all responses of the document, each once. */
export function responsesOf(api: OpenApiObject): ResponseObject[] {
  return once([
    ...api.operations.flatMap(({ responses }) => responses),
    ...api.components.responses,
  ]);
}

/** Drops duplicates by place: a shared component is found at every operation that refers to it. */
function once<T extends { readonly node: SpecNode }>(elements: readonly T[]): T[] {
  return [
    ...new Map(elements.map((element) => [JSON.stringify(element.node.path), element])).values(),
  ];
}

/** Components Object, OpenAPI 3.1 §4.8.7. */
function readComponents(components: SpecNode | undefined) {
  const membersOf = (section: string) => components?.get(section)?.members ?? [];
  return {
    schemas: membersOf('schemas'),
    parameters: membersOf('parameters').map(readParameter),
    headers: membersOf('headers').map(readParameter),
    examples: membersOf('examples'),
    responses: membersOf('responses').map((node) => readResponse(node, '')),
    securitySchemes: components?.get('securitySchemes'),
  };
}

/**
 * Returns the URL of the first server (§4.8.5), with the defaults of its variables.
 *
 * @param holder the document, a path item or an operation
 */
export function readBaseUrl(holder: SpecNode): string {
  const server = holder.get('servers')?.items[0];
  const template = server?.get('url')?.text ?? '';
  const url = template.replaceAll(
    /\{([^{}]*)\}/g,
    (whole, name: string) => server?.at('variables', name, 'default')?.text ?? whole,
  );
  return url.replace(/\/$/, '');
}

/**
 * Returns the scopes that an API key can have: `x-scopes` of the `apiKey` scheme (Security Scheme
 * Object, OpenAPI 3.1 §4.8.27, which has scopes for OAuth only). The key of each node is the scope,
 * its text the description.
 */
export function readScopes(api: OpenApiObject): SpecNode[] {
  return api.components.securitySchemes?.at('apiKey', 'x-scopes')?.members ?? [];
}
