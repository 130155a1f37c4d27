import type { OperationId } from '@adx/contract';
import { callOperation, type OperationCall } from '../support/call-operation.js';
import type { TwoFirms } from './two-firms.js';

/** A response without the parts that differ in every call. */
export interface ComparableAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body, with its fields in their order. */
  readonly body: string;
}

export async function callAs(
  { service, apiKey }: TwoFirms,
  idToken: string,
  operationId: OperationId,
  call: OperationCall = {},
): Promise<ComparableAnswer> {
  const answer = await callOperation(service, operationId, { apiKey, idToken, ...call });
  const headers = new Headers(answer.headers);
  const requestId = headers.get('x-request-id') ?? '';
  for (const name of ['x-request-id', 'date', 'ratelimit']) headers.delete(name);
  return {
    status: answer.status,
    headers: Object.fromEntries(headers),
    body: JSON.stringify(answer.body)
      .replace(requestId, 'id')
      // The signatures of download URLs depend on the time.
      .replaceAll(/\?X-Amz-[^"]*/g, ''),
  };
}
