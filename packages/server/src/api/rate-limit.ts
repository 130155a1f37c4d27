import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from './api-error.js';

const WINDOW_SECONDS = 60;

/** Counts a call of an API key. Rejects with `tooManyRequests` when the limit of the minute is reached. */
export type RateLimit = (apiKeyId: string) => Promise<void>;

/**
 * Limits the calls per API key and minute (D-23). Each process counts for itself, so with several replicas
 * an API key has this limit once per replica.
 */
export function createRateLimit(callsPerMinute: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: callsPerMinute, duration: WINDOW_SECONDS });
  return async (apiKeyId) => {
    try {
      await limiter.consume(apiKeyId);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooManyRequests(callsPerMinute, refusal.msBeforeNext, WINDOW_SECONDS);
    }
  };
}

/**
 * Refuses a key that has used up its limit.
 *
 * @throws ApiError `tooManyRequests`
 */
export async function requirePoints(limiter: RateLimiterMemory, key: string): Promise<void> {
  const used = await limiter.get(key);
  if (used !== null && used.remainingPoints <= 0 && used.msBeforeNext > 0) {
    throw tooManyRequests(limiter.points, used.msBeforeNext, limiter.duration);
  }
}

/**
 * Returns a function that runs attempts with the same key one at a time (a keyed mutex), so that a
 * burst of them cannot exceed a limit that counts only failures.
 */
export function createTurns() {
  /** The last attempt of each key that has not ended. */
  const pending = new Map<string, Promise<unknown>>();
  return <Result>(key: string, attempt: () => Promise<Result>): Promise<Result> => {
    const previous = pending.get(key) ?? Promise.resolve();
    const next = previous.catch(() => {}).then(attempt);
    pending.set(key, next);
    const remove = () => {
      if (pending.get(key) === next) pending.delete(key);
    };
    next.then(remove, remove);
    return next;
  };
}

/** Returns the error for a limit that was reached, with the seconds until it resets. */
export function tooManyRequests(
  limit: number,
  msBeforeNext: number,
  windowSeconds: number,
): ApiError {
  const seconds = secondsUntil(msBeforeNext, windowSeconds);
  return new ApiError('tooManyRequests', {
    headers: {
      'Retry-After': String(seconds),
      RateLimit: `limit=${limit}, remaining=0, reset=${seconds}`,
    },
  });
}

/**
 * Returns the seconds until a limit resets, for `Retry-After`: at least 1, and at most those of its
 * window. The limiter ends the window by a timer, but computes the rest of it from the wall clock, which
 * may have been set back.
 */
export function secondsUntil(msBeforeNext: number, windowSeconds: number): number {
  return Math.min(windowSeconds, Math.max(1, Math.ceil(msBeforeNext / 1000)));
}
