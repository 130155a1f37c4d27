import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorRequestHandler, Response } from 'express';
import { ApiError } from '../api/api-error.js';
import {
  type ConcurrencyLimit,
  createConcurrencyLimit,
  type Pause,
} from '../api/concurrency-limit.js';
import { rateLimitHeaders, secondsUntil } from '../api/rate-limit.js';
import type { RateLimit } from '../api/shared-rate-limit.js';
import { isUnavailable } from '../db/unavailable.js';
import { type CallContext, requestState } from './request-state.js';

/** The window of the rate limit, in seconds. */
export const RATE_LIMIT_SECONDS = 60;

/** The time that each refusal waits, in ms, so that a flood of them leaves room for others. */
const refusalMs = 2;

export interface CallLimits {
  /**
   * Counts a call, and sends with its response how many are left.
   *
   * @throws ApiError `tooManyRequests`
   */
  countCall(response: Response): Promise<void>;

  /**
   * Counts a call that was refused before it came to `countCall`. Refusals of a caller are sent one
   * after the other (D-69).
   */
  readonly countRefused: ErrorRequestHandler;

  /** @throws ApiError `tooManyRequests` if the turn of the call does not come in time */
  inTurn(
    response: Response,
    context: Pick<CallContext, 'apiKey' | 'principal'>,
    work: (pause: Pause) => Promise<void>,
  ): Promise<void>;
}

/**
 * Limits calls: how many a minute (D-23), and how many at once (D-39). Both count for the firm of
 * the user. Sign-ins count for the API key alone, and so do calls that are refused before their
 * user is known, separately: a loop with an expired ID token must not prevent the sign-ins of
 * others.
 */
export function createCallLimits(options: {
  readonly rateLimit: RateLimit;
  readonly callsPerMinute: number;
  readonly turnOfFirm: ConcurrencyLimit;
  readonly turnOfSignIn: ConcurrencyLimit;
}): CallLimits {
  const { rateLimit, callsPerMinute: quota, turnOfFirm, turnOfSignIn } = options;
  const turnOfRefusal = createConcurrencyLimit({ places: 1 });

  async function count(response: Response, withoutUser: 'apiKey' | 'refused'): Promise<void> {
    const state = requestState(response);
    const { apiKey, principal } = state;
    if (apiKey === undefined) throw new ApiError('invalidApiKey');
    // First, because if this fails, it would only fail again.
    state.isCounted = true;
    const [name, caller] =
      principal === undefined
        ? [withoutUser, `${apiKey.id} ${withoutUser}`]
        : ['default', `${apiKey.id} ${principal.firmId}`];
    const { isAllowed, remaining, msLeft } = await rateLimit(caller);
    const seconds = secondsUntil(msLeft, RATE_LIMIT_SECONDS);
    const policy = { name, quota, windowSeconds: RATE_LIMIT_SECONDS };
    const headers = rateLimitHeaders(policy, { remaining, seconds });
    for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
    if (isAllowed) return;
    throw new ApiError('tooManyRequests', { headers: { 'Retry-After': String(seconds) } });
  }

  return {
    countCall: (response) => count(response, 'apiKey'),

    async countRefused(error, _request, response, next) {
      const { apiKey, principal, isCounted = false } = requestState(response);
      // The next call of a flood comes only after this answer. If the line is full, none waits.
      const caller = principal?.firmId ?? apiKey?.id ?? 'unknown';
      if (!isUnavailable(error)) {
        await turnOfRefusal(caller, response, () => pause(refusalMs)).catch(() => {});
        if (apiKey !== undefined && !isCounted) await count(response, 'refused');
      }
      next(error);
    },

    inTurn: (response, { apiKey, principal }, work) =>
      principal === undefined
        ? turnOfSignIn(apiKey.id, response, work)
        : turnOfFirm(principal.firmId, response, work),
  };
}
