import type { Scope } from '@adx/contract';
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../api/api-error.js';
import type { Authenticator } from '../identity/authenticator.js';
import { requestState } from './request-state.js';

/**
 * Checks the API key, even for unknown paths and methods, so that callers without one learn nothing
 * (D-04), and says when an old secret ends (D-35). The check of the validator would return 401
 * instead of 403 (L-03).
 *
 * @throws ApiError `invalidApiKey`
 */
export function requireApiKey(authenticator: Authenticator): RequestHandler {
  return async (request, response, next) => {
    const header = request.headers['x-api-key'];
    const key = typeof header === 'string' ? header : undefined;
    const apiKey = await authenticator.apiKey(key);
    requestState(response).apiKey = apiKey;
    if (apiKey.expiresAt !== undefined) {
      response.setHeader('X-Api-Key-Expires', apiKey.expiresAt.toISOString());
    }
    next();
  };
}

/**
 * Checks the ID token, the access level, then the scopes of the operation (D-04).
 *
 * @throws ApiError `unauthorized`, `tokenExpired`, `portalOnly`, `insufficientScope`
 */
export function requireUser(
  authenticator: Authenticator,
  scopes: readonly Scope[],
): (request: Request, response: Response) => Promise<void> {
  return async (request, response) => {
    const state = requestState(response);
    const { apiKey } = state;
    if (apiKey === undefined) throw new ApiError('invalidApiKey');
    state.principal = await authenticator.principal(request.headers.authorization, apiKey);
    if (!scopes.every((scope) => apiKey.scopes.includes(scope))) {
      throw new ApiError('insufficientScope');
    }
  };
}
