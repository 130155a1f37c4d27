import type { SpecNode } from '../document/spec-document.js';
import { jsonContent, type MediaTypeObject } from './media-type-object.js';
import { type ParameterObject, readParameter } from './parameter-object.js';
import { type RequestBodyObject, readRequestBody } from './request-body-object.js';
import { type ResponseObject, readResponses } from './responses-object.js';
import { readSecurity, type SecurityRequirementObject } from './security-requirement-object.js';

/** Operation Object, OpenAPI 3.1 §4.8.10. */
export interface OperationObject {
  readonly node: SpecNode;
  /** The path template it stands under. */
  readonly path: string;
  /** In lower case, as OpenAPI writes it. */
  readonly method: string;
  readonly id: string | undefined;
  /** Those of the path item first. */
  readonly parameters: readonly ParameterObject[];
  readonly requestBody: RequestBodyObject | undefined;
  readonly responses: readonly ResponseObject[];
  readonly security: readonly SecurityRequirementObject[];
  /** `x-paginated: true`: the body takes `limit` and `offset`, the answer is an envelope. */
  readonly isPaginated: boolean;
}

export function readOperation(
  node: SpecNode,
  path: string,
  shared: readonly ParameterObject[],
): OperationObject {
  const requestBody = node.get('requestBody');
  return {
    node,
    path,
    method: node.key,
    id: node.get('operationId')?.text,
    parameters: [...shared, ...(node.get('parameters')?.items ?? []).map(readParameter)],
    requestBody: requestBody && readRequestBody(requestBody),
    responses: readResponses(node.get('responses')),
    security: readSecurity(node.get('security')),
    isPaginated: node.get('x-paginated')?.value === true,
  };
}

/** Whether the operation requires an ID token beside the API key. */
export function requiresIdToken(operation: OperationObject): boolean {
  return operation.security.some(({ schemes }) => schemes.has('idToken'));
}

/** The JSON body the operation takes. */
export function requestContent({ requestBody }: OperationObject): MediaTypeObject | undefined {
  return jsonContent(requestBody?.content);
}

/** Its 200, the only success there is (D-02). */
export function successOf({ responses }: OperationObject): ResponseObject | undefined {
  return responses.find(({ status }) => status === '200');
}

/** The JSON body of its 200. */
export function successContent(operation: OperationObject): MediaTypeObject | undefined {
  return jsonContent(successOf(operation)?.content);
}

/** How messages name an operation. */
export function operationName({ id, method, path }: OperationObject): string {
  return id ?? `${method.toUpperCase()} ${path}`;
}
