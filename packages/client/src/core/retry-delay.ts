import { ApiError, NetworkError } from '../errors.js';

const firstDelay = 250;
const longestDelay = 60_000;

/**
 * Returns the pause in milliseconds before a failed call is retried, or undefined if it must not be.
 *
 * A call that exceeded the rate limit had no effect, so it may always be retried; so may one whose first
 * attempt is not finished (D-43). If the outcome is unknown or the service was unavailable, only an
 * idempotent call may be.
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
        (idempotent && [502, 503, 504].includes(error.status))
      : error instanceof NetworkError && idempotent;
  if (!passing) return undefined;
  const asked = error instanceof ApiError && error.retryAfter ? error.retryAfter * 1000 : 0;
  // After a longer pause the caller decides.
  if (asked > longestDelay) return undefined;
  // Never earlier than requested, with jitter, so that clients do not all return at once.
  return Math.min(asked || firstDelay * 2 ** attempt, longestDelay) * (1 + Math.random() / 2);
}
