import { AdxError, ApiError, AuthenticationError, NetworkError } from '../errors.js';

const firstDelay = 250;
const longestDelay = 60_000;

/** A wrong name, certificate or protocol lasts, so its error should not take a minute. */
const lasting = ['dns', 'tls', 'http'];
const mostForLasting = 2;

/**
 * The maximum number of retries of a sign-in that may have been refused. Their pauses are longer,
 * so that a sign-in still survives an outage of a minute.
 */
const mostForSignIns = 3;
const firstDelayOfSignIns = 2_000;

/** Returns true for an answer after which the same call may succeed later. */
export function isTemporary(error: ApiError): boolean {
  const { status } = error;
  if ([408, 425, 429].includes(status)) return true;
  // §7: a sign-in that is refused has status 500.
  return status >= 500 && status !== 501 && !(error instanceof AuthenticationError);
}

/**
 * Returns true if the service may have refused a sign-in, which counts against the user (D-23):
 * proxies replace answers of status 500 by pages of their own, and connections are lost.
 */
export function mayBeRefused(error: unknown): boolean {
  if (error instanceof NetworkError) return ['lost', 'timeout'].includes(error.reason);
  if (!(error instanceof ApiError)) return false;
  const { status, code = '' } = error;
  return status < 500 ? code === '' : !['internalError', 'unavailable'].includes(code);
}

/**
 * Returns true if the service has refused a sign-in, or a proxy has replaced an answer of the same
 * status (§7).
 */
export function seemsRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 500 && mayBeRefused(error);
}

/**
 * Returns the pause in milliseconds before a failed call is retried, or undefined if it must not
 * be.
 *
 * A call that exceeded the rate limit had no effect, so it may always be retried; so may one whose
 * first attempt is not finished (D-43). If the outcome is unknown or the service failed, only an
 * idempotent call may be.
 *
 * @param attempt the number of retries so far
 */
export function retryDelay(
  error: unknown,
  attempt: number,
  idempotent: boolean,
): number | undefined {
  if (!(error instanceof AdxError)) return undefined;
  const passing =
    error instanceof ApiError
      ? error.status === 429 ||
        error.code === 'idempotencyKeyInUse' ||
        (idempotent && isTemporary(error))
      : error instanceof NetworkError &&
        idempotent &&
        (attempt < mostForLasting || !lasting.includes(error.reason));
  if (!passing) return undefined;
  let delay = firstDelay * 2 ** attempt;
  // A text, because the client is also generated from specs without this operation.
  const operation: string = error.operation;
  if (operation === 'getToken' && mayBeRefused(error)) {
    if (!idempotent || seemsRefused(error) || attempt >= mostForSignIns) return undefined;
    delay = firstDelayOfSignIns * 5 ** attempt;
  }
  const asked = error instanceof ApiError && error.retryAfter ? error.retryAfter * 1000 : 0;
  // After a longer pause the caller decides.
  if (asked > longestDelay) return undefined;
  // Never earlier than requested, with jitter, so that clients do not all return at once.
  return Math.min(asked || delay, longestDelay) * (1 + Math.random() / 2);
}
