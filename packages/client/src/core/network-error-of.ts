import type { OperationId } from '@adx/contract';
import { causeOf } from '#network-cause';
import { NetworkError } from '../errors.js';

/**
 * Returns the error for a request that got no complete response.
 *
 * @param what what happened, for the message
 * @param cause the error of `fetch`, if it failed
 */
export function networkErrorOf(
  operation: OperationId,
  url: string,
  what: string,
  cause?: unknown,
): NetworkError {
  const { reason = 'lost', host = new URL(url).host, why } = causeOf(url, cause);
  const place = why ? `${host}: ${why}` : host;
  return new NetworkError(operation, `${what} (${place})`, { host, reason }, { cause });
}
