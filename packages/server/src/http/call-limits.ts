import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { ApiError } from '../api/api-error.js';
import { rateLimitHeaders, secondsUntil } from '../api/rate-limit.js';
import type { RateLimit } from '../api/shared-rate-limit.js';
import { isUnavailable } from '../db/unavailable.js';
import { requestState } from './request-state.js';

/** The window of the rate limit, in seconds. */
export const RATE_LIMIT_SECONDS = 60;

export type CallLimits = ReturnType<typeof createCallLimits>;

/**
 * Creates the steps that limit the calls of an API key per minute for each firm (D-23). A call without a
 * user, such as a sign-in, counts for the API key alone.
 */
export function createCallLimits(options: {
  readonly rateLimit: RateLimit;
  readonly callsPerMinute: number;
}) {
  const { rateLimit, callsPerMinute: quota } = options;

  async function count(response: Response): Promise<void> {
    const state = requestState(response);
    const { apiKey, principal } = state;
    if (apiKey === undefined) throw new ApiError('invalidApiKey');
    // First, because if this fails, it would only fail again.
    state.isCounted = true;
    const [name, caller] =
      principal === undefined
        ? ['apiKey', apiKey.id]
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
    /**
     * Counts a call, and sends what is left with its response.
     *
     * @throws ApiError `tooManyRequests`
     */
    countCall: (async (_request, response, next) => {
      await count(response);
      next();
    }) satisfies RequestHandler,

    /** Counts a call that was refused before it came to {@link countCall}, so that these are limited too. */
    countRefused: (async (error, _request, response, next) => {
      const { apiKey, isCounted = false } = requestState(response);
      if (apiKey !== undefined && !isCounted && !isUnavailable(error)) await count(response);
      next(error);
    }) satisfies ErrorRequestHandler,
  };
}
