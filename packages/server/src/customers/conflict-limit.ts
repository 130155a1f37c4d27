import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ApiError } from '../api/api-error.js';
import { createTurns, requirePoints } from '../api/rate-limit.js';
import { OwnIbanInUse } from './link-rules.js';

/**
 * Makes a change that may conflict with the customers of other firms, unless too many changes of the
 * firm did.
 *
 * @throws ApiError `tooManyRequests`, and what the change throws
 */
export type ConflictLimit = <Result>(
  firmId: string,
  change: () => Promise<Result>,
) => Promise<Result>;

/** The number of changes of a firm that a process makes at once: no more have a database connection. */
const atOnce = 10;

/**
 * Limits the conflicts of a firm (D-23), because each tells it that another firm may have an IBAN or
 * an enterprise number. After `conflicts` within `windowSeconds`, all changes are refused until the
 * window ends. Other changes do not count, so that a firm can register all its customers in a row.
 */
export function createConflictLimit({ conflicts = 300, windowSeconds = 3600 } = {}): ConflictLimit {
  const limiter = new RateLimiterMemory({
    keyPrefix: 'conflicts',
    points: conflicts,
    duration: windowSeconds,
  });
  const inTurn = createTurns();
  let calls = 0;

  async function count<Result>(firmId: string, change: () => Promise<Result>): Promise<Result> {
    await requirePoints(limiter, firmId);
    try {
      return await change();
    } catch (error) {
      if (revealsOthers(error)) await limiter.penalty(firmId);
      throw error;
    }
  }

  return (firmId, change) => {
    calls += 1;
    return inTurn(`${firmId} ${calls % atOnce}`, () => count(firmId, change));
  };
}

function revealsOthers(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    !(error instanceof OwnIbanInUse) &&
    (error.code === 'ibanInUse' || error.code === 'belongsToAnotherTenant')
  );
}
