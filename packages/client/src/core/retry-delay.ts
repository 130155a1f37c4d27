import { ApiError, AuthenticationError, NetworkError } from '../errors.js';

const firstDelay = 250;
const longestDelay = 60_000;

/** A wrong name or certificate lasts, so its error should not take a minute. */
const lasting = ['dns', 'tls'];
const mostForLasting = 2;

/**
 * Returns the pause in milliseconds before a failed call is retried, or undefined if it must not be.
 *
 * A call that exceeded the rate limit had no effect, so it may always be retried; so may one whose first
 * attempt is not finished (D-43). If the outcome is unknown or the service failed, only an idempotent
 * call may be.
 *
 * @param attempt the number of retries so far
 */
export function retryDelay(
  error: unknown,
  attempt: number,
  idempotent: boolean,
): number | undefined {
  const passing =
    error instanceof ApiError
      ? error.status === 429 ||
        error.code === 'idempotencyKeyInUse' ||
        (idempotent &&
          error.status >= 500 &&
          error.status !== 501 &&
          // §7: a sign-in that is refused has status 500.
          !(error instanceof AuthenticationError))
      : error instanceof NetworkError &&
        idempotent &&
        (attempt < mostForLasting || !lasting.includes(error.reason));
  if (!passing) return undefined;
  const asked = error instanceof ApiError && error.retryAfter ? error.retryAfter * 1000 : 0;
  // After a longer pause the caller decides.
  if (asked > longestDelay) return undefined;
  // Never earlier than requested, with jitter, so that clients do not all return at once.
  return Math.min(asked || firstDelay * 2 ** attempt, longestDelay) * (1 + Math.random() / 2);
}
