import type { Caller } from './call.js';

/**
 * Returns the minimum pause in milliseconds after a temporary failure; throws any other failure.
 */
export function delayAfter(
  { ApiError, NetworkError, isTemporary }: Caller['errors'],
  error: unknown,
): number {
  if (error instanceof NetworkError) return 0;
  if (error instanceof ApiError && isTemporary(error)) return (error.retryAfter ?? 0) * 1000;
  throw error;
}
