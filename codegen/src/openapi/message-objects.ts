import type { SpecNode } from '../document/spec-document.js';

/** A Parameter Object, OpenAPI 3.1 §4.8.12, or a Header Object (§4.8.21) without name and place. */
export type ParameterObject = ReturnType<typeof readParameter>;

export function readParameter(use: SpecNode) {
  const node = use.follow();
  return {
    node,
    name: node.get('name')?.text ?? '',
    in: node.get('in')?.text ?? '',
    isRequired: node.get('required')?.value === true,
    schema: node.get('schema'),
    examples: readExamples(node),
  };
}

/** Reads a Request Body Object, OpenAPI 3.1 §4.8.13. */
export function readRequestBody(use: SpecNode) {
  const node = use.follow();
  return {
    node,
    isRequired: node.get('required')?.value === true,
    content: readContent(node.get('content')),
  };
}

/** Response Object, OpenAPI 3.1 §4.8.17. */
export type ResponseObject = ReturnType<typeof readResponse>;

/** Responses Object, OpenAPI 3.1 §4.8.16. */
export function readResponses(responses: SpecNode | undefined): ResponseObject[] {
  return (responses?.members ?? [])
    .filter(({ key }) => !key.startsWith('x-'))
    .map((use) => readResponse(use, use.key));
}

/**
 * @param use the entry of an operation under `responses`
 * @param status the key as it is written, such as `200`
 */
export function readResponse(use: SpecNode, status: string) {
  const node = use.follow();
  return {
    node,
    use,
    status,
    headers: new Map(
      (node.get('headers')?.members ?? []).map((header) => [header.key, readParameter(header)]),
    ),
    content: readContent(node.get('content')),
  };
}

/** Returns true for a status from 400 to 599, and for `4XX` and `5XX`. */
export function isErrorStatus(status: string): boolean {
  return /^[45](\d\d|XX)$/.test(status);
}

/** Returns true for a status from 200 to 299, and for `2XX`. */
export function isSuccessStatus(status: string): boolean {
  return /^2(\d\d|XX)$/.test(status);
}

/** Media Type Object, OpenAPI 3.1 §4.8.14. */
export type MediaTypeObject = ReturnType<typeof readContent>[number];

export function readContent(content: SpecNode | undefined) {
  return (content?.members ?? []).map((node) => ({
    node,
    name: node.key,
    schema: node.get('schema'),
    examples: readExamples(node),
  }));
}

export function jsonContent(
  content: readonly MediaTypeObject[] | undefined,
): MediaTypeObject | undefined {
  return content?.find(({ name }) => name === 'application/json');
}

/** Reads Example Objects, OpenAPI 3.1 §4.8.19. The single `example` has no name. */
function readExamples(holder: SpecNode) {
  const example = holder.get('example');
  return [
    ...(example ? [{ name: '', use: example, value: example }] : []),
    ...(holder.get('examples')?.members ?? []).map((use) => ({
      name: use.key,
      use,
      value: use.follow().get('value'),
    })),
  ];
}
