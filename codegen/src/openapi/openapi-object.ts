import type { SpecDocument, SpecNode } from '../document/spec-document.js';
import { type ComponentsObject, readComponents } from './components-object.js';
import type { MediaTypeObject } from './media-type-object.js';
import type { OperationObject } from './operation-object.js';
import type { ParameterObject } from './parameter-object.js';
import { type PathItemObject, readPaths } from './paths-object.js';
import type { ResponseObject } from './responses-object.js';

/** OpenAPI Object, OpenAPI 3.1 §4.8.1. */
export interface OpenApiObject {
  readonly document: SpecDocument;
  readonly root: SpecNode;
  readonly paths: readonly PathItemObject[];
  /** The operations of all paths, in the order they are written. */
  readonly operations: readonly OperationObject[];
  readonly components: ComponentsObject;
  /** The names of the declared tags (Tag Object, §4.8.22). */
  readonly tags: readonly string[];
}

export function readOpenApi(document: SpecDocument): OpenApiObject {
  const { root } = document;
  const paths = readPaths(root.get('paths'));
  return {
    document,
    root,
    paths,
    operations: paths.flatMap(({ operations }) => operations),
    components: readComponents(root.get('components')),
    tags: (root.get('tags')?.items ?? []).flatMap((tag) => tag.get('name')?.text ?? []),
  };
}

/** Every parameter and header, wherever it is written, once. */
export function parametersOf(api: OpenApiObject): ParameterObject[] {
  return once([
    ...api.operations.flatMap(({ parameters }) => parameters),
    ...responsesOf(api).flatMap(({ headers }) => headers),
    ...api.components.parameters,
    ...api.components.headers,
  ]);
}

/** Every body of a request or response, wherever it is written, once. */
export function mediaTypesOf(api: OpenApiObject): MediaTypeObject[] {
  return once([
    ...api.operations.flatMap(({ requestBody }) => requestBody?.content ?? []),
    ...responsesOf(api).flatMap(({ content }) => content),
  ]);
}

/** Every response, wherever it is written, once. */
function responsesOf(api: OpenApiObject): ResponseObject[] {
  return once([
    ...api.operations.flatMap(({ responses }) => responses),
    ...api.components.responses,
  ]);
}

/** By place, for shared components are met at every operation that refers to them. */
function once<T extends { readonly node: SpecNode }>(elements: readonly T[]): T[] {
  return [
    ...new Map(elements.map((element) => [JSON.stringify(element.node.path), element])).values(),
  ];
}
