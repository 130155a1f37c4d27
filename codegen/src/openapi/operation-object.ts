import { methods } from '../document/openapi-places.js';
import type { SpecNode } from '../document/spec-document.js';
import {
  jsonContent,
  type MediaTypeObject,
  type ParameterObject,
  type ResponseObject,
  readParameter,
  readRequestBody,
  readResponses,
} from './message-objects.js';

export { methods };

/** Reads the Paths Object with Path Item Objects, OpenAPI 3.1 §4.8.8 and §4.8.9. */
export function readPaths(paths: SpecNode | undefined, security: SpecNode | undefined) {
  return (paths?.members ?? []).map((use) => {
    const node = use.follow();
    // Members beside a reference come first.
    const members = [...use.members, ...(node === use ? [] : node.members)];
    const shared = members
      .filter(({ key }) => key === 'parameters')
      .flatMap(({ items }) => items.map(readParameter));
    return {
      node,
      template: use.key,
      operations: members
        .filter(({ key }) => methods.includes(key))
        .map((operation) => readOperation(operation, use.key, [use, node], shared, security)),
    };
  });
}

/** Returns the parameter names of a path in order: `/customers/{customerId}` has `customerId`. */
export function templateParameters(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}

/** Operation Object, OpenAPI 3.1 §4.8.10. */
export type OperationObject = ReturnType<typeof readOperation>;

function readOperation(
  node: SpecNode,
  path: string,
  pathItems: readonly SpecNode[],
  shared: readonly ParameterObject[],
  security: SpecNode | undefined,
) {
  const id = node.get('operationId')?.text;
  const requestBody = node.get('requestBody');
  const own = (node.get('parameters')?.items ?? []).map(readParameter);
  const inherited = shared.filter(
    (parameter) => !own.some((each) => each.name === parameter.name && each.in === parameter.in),
  );
  return {
    node,
    path,
    /** The element with servers of its own: the operation, or its path item. */
    serverHolder: [node, ...pathItems].find((holder) => holder.get('servers')),
    method: node.key,
    id,
    /** The id, or method and path if it has none. */
    name: id ?? `${node.key.toUpperCase()} ${path}`,
    /** The parameters of the path item come first, without those that the operation has too. */
    parameters: [...inherited, ...own],
    requestBody: requestBody && readRequestBody(requestBody),
    responses: readResponses(node.get('responses')),
    /** The caller meets one of these requirements. */
    security: readSecurity(node.get('security') ?? security),
    /** True if the body takes `limit` and `offset`, and the response is an envelope. */
    isPaginated: node.get('x-paginated')?.value === true,
  };
}

/** Returns true if the operation requires an ID token in addition to the API key. */
export function requiresIdToken(operation: OperationObject): boolean {
  return operation.security.some(({ schemes }) => schemes.has('idToken'));
}

/** Returns the header with which a caller may repeat a call (D-43). */
export function idempotencyKeyOf({ parameters }: OperationObject): ParameterObject | undefined {
  return parameters.find(
    ({ in: place, name }) => place === 'header' && name.toLowerCase() === 'idempotency-key',
  );
}

export function requestContent({ requestBody }: OperationObject): MediaTypeObject | undefined {
  return jsonContent(requestBody?.content);
}

/** Returns its 200 response, which is the only success (D-02). */
export function successOf({ responses }: OperationObject): ResponseObject | undefined {
  return responses.find(({ status }) => status === '200');
}

export function successContent(operation: OperationObject): MediaTypeObject | undefined {
  return jsonContent(successOf(operation)?.content);
}

/** Security Requirement Object, OpenAPI 3.1 §4.8.30. */
export type SecurityRequirementObject = ReturnType<typeof readSecurity>[number];

function readSecurity(security: SpecNode | undefined) {
  return (security?.items ?? []).map((node) => ({
    node,
    schemes: new Map(node.members.map((scheme) => [scheme.key, scheme.items])),
  }));
}
