import { type OperationId, operations } from '@adx/contract';
import type { TestService } from './test-service.js';
import { wellFormedBody, wellFormedParameters, wellFormedQuery } from './well-formed.js';

/** The differences from a well-formed call. By default the call has no credentials. */
export interface OperationCall {
  readonly apiKey?: string | undefined;
  readonly idToken?: string | undefined;
  /** Path parameters instead of the well-formed ones. */
  readonly path?: Readonly<Record<string, string>>;
  /** The query string, without its question mark, instead of the well-formed one. */
  readonly query?: string;
  /** A JSON value instead of the well-formed body. */
  readonly body?: unknown;
  readonly text?: string | null;
  readonly method?: string;
  /** Headers in addition to the credentials and the content type, or instead of them. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OperationAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** The body as it was sent. */
  readonly text: string;
}

/** Calls an operation without the client, which would refuse some calls. */
export async function callOperation(
  service: TestService,
  operationId: OperationId,
  call: OperationCall = {},
): Promise<OperationAnswer> {
  const { method, path, body } = operations[operationId];
  const values = { ...wellFormedParameters(operationId, 'path'), ...call.path };
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  const {
    apiKey,
    idToken,
    query = wellFormedQuery(operationId),
    text = textOf(operationId, body, call),
  } = call;
  const response = await service.raw(query === '' ? filled : `${filled}?${query}`, {
    method: (call.method ?? method).toUpperCase(),
    headers: {
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      ...(idToken !== undefined && { authorization: `Bearer ${idToken}` }),
      ...(text !== null && { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(text !== null && { body: text }),
  });
  const answer = await response.text();
  const { status, headers } = response;
  return { status, headers, body: JSON.parse(answer), text: answer };
}

function textOf(operationId: OperationId, body: 'none' | 'required', call: OperationCall) {
  if (call.body !== undefined) return JSON.stringify(call.body);
  return body === 'required' ? JSON.stringify(wellFormedBody(operationId)) : null;
}
