import type { SpecNode } from '../document/spec-document.js';
import { type MediaTypeObject, readContent } from './media-type-object.js';
import { type ParameterObject, readParameter } from './parameter-object.js';

/** Response Object, OpenAPI 3.1 §4.8.17. */
export interface ResponseObject {
  /** Where the response itself stands, references followed. */
  readonly node: SpecNode;
  /** Where the operation names it: the entry under `responses`. */
  readonly use: SpecNode;
  /** `200`, `404`, or whatever else is written as the key. */
  readonly status: string;
  readonly headers: readonly ParameterObject[];
  readonly content: readonly MediaTypeObject[];
}

/** Responses Object, OpenAPI 3.1 §4.8.16. */
export function readResponses(responses: SpecNode | undefined): ResponseObject[] {
  return (responses?.members ?? [])
    .filter(({ key }) => !key.startsWith('x-'))
    .map((use) => readResponse(use, use.key));
}

export function readResponse(use: SpecNode, status: string): ResponseObject {
  const node = use.follow();
  return {
    node,
    use,
    status,
    headers: (node.get('headers')?.members ?? []).map(readParameter),
    content: readContent(node.get('content')),
  };
}

/** Errors are the statuses of 400 and over. */
export function isErrorStatus(status: string): boolean {
  return /^[45]\d\d$/.test(status);
}
