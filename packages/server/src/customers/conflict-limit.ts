import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ApiError } from '../api/api-error.js';
import { requirePoints } from '../api/rate-limit.js';
import { OwnIbanInUse } from './link-rules.js';

const WINDOW_SECONDS = 3600;

/**
 * Limits the conflicts of a firm (D-23), because each tells it that another firm may have an IBAN
 * or an enterprise number. After `conflicts` within an hour, this process refuses new customers and
 * accounts of the firm until the hour ends. What succeeds does not count, so that a firm can
 * register all its customers in a row.
 */
export function createConflictLimit({ conflicts = 300 } = {}) {
  const limiter = new RateLimiterMemory({
    keyPrefix: 'conflicts',
    points: conflicts,
    duration: WINDOW_SECONDS,
  });

  /** @throws ApiError `tooManyRequests`, and what the change throws */
  return async <Result>(firmId: string, change: () => Promise<Result>): Promise<Result> => {
    await requirePoints(limiter, firmId);
    try {
      return await change();
    } catch (error) {
      if (revealsOthers(error)) await limiter.penalty(firmId);
      throw error;
    }
  };
}

function revealsOthers(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    !(error instanceof OwnIbanInUse) &&
    (error.code === 'ibanInUse' || error.code === 'belongsToAnotherTenant')
  );
}
