import type { OperationId } from '@adx/contract';
import type { StorageError } from '../../errors.js';
import type { Caller, FetchedResponse, FetchInit } from '../call.js';

/** The storage receives neither the cookies nor the URL of a page, and nothing is cached. */
const isolated = {
  credentials: 'omit',
  redirect: 'manual',
  referrerPolicy: 'no-referrer',
  cache: 'no-store',
} as const;

/**
 * Sends a request to the object storage once, without credentials of the service.
 *
 * @returns the successful response; its body has not been read
 * @throws {StorageError} if the storage refuses the request, or redirects: redirects are not
 *   followed
 * @throws {NetworkError} if no response arrives
 */
export async function requestStorage(
  { fetch, errors, networkErrorOf }: Caller,
  operation: OperationId,
  url: string,
  init: Omit<FetchInit, keyof typeof isolated>,
): Promise<FetchedResponse> {
  // Outside the `try`, because an invalid URL is not a lost connection.
  const { href } = new URL(url);
  try {
    const response = await fetch(href, { ...init, ...isolated });
    if (response.ok) return response;
    throw storageErrorOf(errors, operation, response, await response.text());
  } catch (error) {
    if (error instanceof errors.StorageError) throw error;
    throw networkErrorOf(operation, href, 'the storage did not respond', error);
  }
}

/** Reads an error of S3, which is XML with a code and a message. */
function storageErrorOf(
  errors: Caller['errors'],
  operation: OperationId,
  { status, headers, type }: FetchedResponse,
  body: string,
): StorageError {
  const element = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1];
  const code = element('Code');
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400);
  const outcome = [status, code].join(' ').trim();
  const told = element('Message') ?? (isRedirect ? 'a redirect, which is not followed' : '');
  return new errors.StorageError(
    operation,
    `the storage responded with ${outcome}${told && `: ${told}`}`,
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
