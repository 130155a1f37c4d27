import type { RequestHandler } from 'express';
import type { Authenticator } from '../identity/authenticator.js';
import type { RateLimit } from './rate-limit.js';
import { requestState } from './request-state.js';

/**
 * The first check of every call, also of paths and methods that do not exist, so that nothing is
 * learnt without an API key (D-04).
 *
 * @throws ApiError `invalidApiKey`, `tooManyRequests`
 */
export function requireApiKey(authenticator: Authenticator, rateLimit: RateLimit): RequestHandler {
  return async (request, response, next) => {
    const header = request.headers['x-api-key'];
    const apiKey = await authenticator.apiKey(typeof header === 'string' ? header : undefined);
    requestState(response).apiKey = apiKey;
    await rateLimit(apiKey.id);
    next();
  };
}
