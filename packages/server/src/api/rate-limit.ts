import type { RateLimiterMemory } from 'rate-limiter-flexible';
import { ApiError } from './api-error.js';

/** A limit, as `RateLimit-Policy` describes it. */
interface RateLimitPolicy {
  readonly name: string;
  readonly quota: number;
  /** The unit of the quota; by default requests. */
  readonly unit?: 'concurrent-requests';
  /** Undefined for a limit that is not per time. */
  readonly windowSeconds?: number;
}

/**
 * Returns the headers of a limit, by draft-ietf-httpapi-ratelimit-headers-10, not yet an RFC.
 *
 * @param seconds - the time until the limit resets, or until calls should be tried again
 */
export function rateLimitHeaders(
  { name, quota, unit, windowSeconds }: RateLimitPolicy,
  { remaining, seconds }: { readonly remaining: number; readonly seconds: number },
) {
  const inUnit = unit === undefined ? '' : `;qu="${unit}"`;
  const perTime = windowSeconds === undefined ? '' : `;w=${windowSeconds}`;
  return {
    'RateLimit-Policy': `"${name}";q=${quota}${inUnit}${perTime}`,
    RateLimit: `"${name}";r=${remaining};t=${seconds}`,
  };
}

/** Returns the error for a limit that was reached, with the seconds to wait before the next try. */
export function tooManyRequests(policy: RateLimitPolicy, seconds: number): ApiError {
  return new ApiError('tooManyRequests', {
    headers: {
      'Retry-After': String(seconds),
      ...rateLimitHeaders(policy, { remaining: 0, seconds }),
    },
  });
}

/**
 * Refuses a key that has used up its limit, whose name is the prefix of the limiter.
 *
 * @throws ApiError `tooManyRequests`
 */
export async function requirePoints(limiter: RateLimiterMemory, key: string): Promise<void> {
  const used = await limiter.get(key);
  if (used !== null && used.remainingPoints <= 0 && used.msBeforeNext > 0) {
    const { keyPrefix: name, points: quota, duration: windowSeconds } = limiter;
    const policy = { name, quota, windowSeconds };
    throw tooManyRequests(policy, secondsUntil(used.msBeforeNext, windowSeconds));
  }
}

/**
 * Returns the seconds until a limit resets, from 1 up to those of its window: a limiter may end it
 * by a timer, but compute its rest from the wall clock, which may have been set back.
 */
export function secondsUntil(msBeforeNext: number, windowSeconds: number): number {
  return Math.min(windowSeconds, Math.max(1, Math.ceil(msBeforeNext / 1000)));
}
