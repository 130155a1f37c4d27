import type { SpecNode } from '../document/spec-document.js';
import { type MediaTypeObject, readContent } from './media-type-object.js';

/** Request Body Object, OpenAPI 3.1 §4.8.13. */
export interface RequestBodyObject {
  readonly node: SpecNode;
  readonly isRequired: boolean;
  readonly content: readonly MediaTypeObject[];
}

export function readRequestBody(use: SpecNode): RequestBodyObject {
  const node = use.follow();
  return {
    node,
    isRequired: node.get('required')?.value === true,
    content: readContent(node.get('content')),
  };
}
