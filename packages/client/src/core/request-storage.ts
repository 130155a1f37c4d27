import type { OperationId } from '@adx/contract';
import type { StorageError } from '../errors.js';
import type { Caller } from './call.js';

/** Neither a page's cookies nor its URL are the storage's business, nor is a copy a cache's. */
const isolated = {
  credentials: 'omit',
  redirect: 'manual',
  referrerPolicy: 'no-referrer',
  cache: 'no-store',
} as const;

/**
 * Sends a request to the object storage, once. It carries nothing but what is in it.
 *
 * @returns the answer, a success, its body not yet read
 * @throws {StorageError} the storage refused, or redirected: it is never followed elsewhere
 * @throws {NetworkError} no answer arrived
 */
export async function requestStorage(
  { fetch, errors }: Caller,
  operation: OperationId,
  url: string,
  init: RequestInit,
): Promise<Response> {
  // Before the request is sent: what is wrong with it is no lost connection.
  const request = new Request(url, { ...init, ...isolated });
  try {
    const response = await fetch(request);
    if (response.ok) return response;
    throw storageErrorOf(errors, operation, response, await response.text());
  } catch (error) {
    if (error instanceof errors.StorageError) throw error;
    throw new errors.NetworkError(operation, 'the storage gave no answer', { cause: error });
  }
}

/** S3 answers an error in XML: its code, and a message for people. */
function storageErrorOf(
  errors: Caller['errors'],
  operation: OperationId,
  { status, headers, type }: Response,
  body: string,
): StorageError {
  const element = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1];
  const code = element('Code');
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400);
  const answered = [status, code].join(' ').trim();
  const told = element('Message') ?? (isRedirect ? 'a redirect, which is not followed' : '');
  return new errors.StorageError(
    operation,
    `the storage answered ${answered}${told && `: ${told}`}`,
    {
      status,
      code,
      fields: [],
      details: [],
      requestId: headers.get('x-amz-request-id') ?? element('RequestId'),
      retryAfter: undefined,
    },
  );
}
