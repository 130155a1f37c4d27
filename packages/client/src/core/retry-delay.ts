import { ApiError, NetworkError } from '../errors.js';

const firstDelay = 250;
const longestDelay = 60_000;

/**
 * Milliseconds to wait before a failed call is repeated; undefined when it must not be.
 *
 * A call that was refused for its rate had no effect and may always be repeated. Where the outcome
 * is unknown or the service was away for a moment, only an idempotent call may.
 *
 * @param attempt how many repetitions there have been
 */
export function retryDelay(
  error: unknown,
  attempt: number,
  idempotent: boolean,
): number | undefined {
  const passing =
    error instanceof ApiError
      ? error.status === 429 || (idempotent && [502, 503, 504].includes(error.status))
      : error instanceof NetworkError && idempotent;
  if (!passing) return undefined;
  const asked = error instanceof ApiError && error.retryAfter ? error.retryAfter * 1000 : 0;
  // Asked to wait for too long: the caller knows better what to do meanwhile.
  if (asked > longestDelay) return undefined;
  // Never earlier than asked, and spread, so that clients do not come back all at once.
  return Math.min(asked || firstDelay * 2 ** attempt, longestDelay) * (1 + Math.random() / 2);
}
