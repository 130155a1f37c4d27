import type { Caller } from './call.js';

/** Returns the minimum pause in milliseconds after a temporary failure; throws any other failure. */
export function delayAfter(errors: Caller['errors'], error: unknown): number {
  if (error instanceof errors.NetworkError) return 0;
  if (
    error instanceof errors.RateLimitError ||
    (error instanceof errors.ServerError && error.status !== 501)
  ) {
    return (error.retryAfter ?? 0) * 1000;
  }
  throw error;
}
