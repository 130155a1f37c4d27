import type { SpecNode } from '../document/spec-document.js';

/** §4.8.12, or a Header Object (§4.8.21), which has no name and place. */
export interface ParameterObject {
  /** The parameter itself, references followed. */
  readonly node: SpecNode;
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly schema: SpecNode | undefined;
  readonly examples: readonly ExampleObject[];
}

export function readParameter(use: SpecNode): ParameterObject {
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

/** Response Object, OpenAPI 3.1 §4.8.17. */
export interface ResponseObject {
  /** The response itself, references followed. */
  readonly node: SpecNode;
  /** The operation's entry under `responses`. */
  readonly use: SpecNode;
  /** The key as it is written, such as `200`. */
  readonly status: string;
  readonly headers: ReadonlyMap<string, ParameterObject>;
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
export interface MediaTypeObject {
  readonly node: SpecNode;
  readonly name: string;
  readonly schema: SpecNode | undefined;
  readonly examples: readonly ExampleObject[];
}

function readContent(content: SpecNode | undefined): MediaTypeObject[] {
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

/** Example Object, OpenAPI 3.1 §4.8.19. */
interface ExampleObject {
  /** The name under `examples`; empty for the single `example`. */
  readonly name: string;
  /** The entry under `examples` or the `example` itself. */
  readonly use: SpecNode;
  readonly value: SpecNode | undefined;
}

function readExamples(holder: SpecNode): ExampleObject[] {
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
