import type { Scope } from '@adx/contract';
import type { RequestHandler } from 'express';
import type { Authenticator } from '../identity/authenticator.js';
import { ApiError } from './api-error.js';
import { requestState } from './request-state.js';

/**
 * ID token, access level, then the scope of the operation (D-04).
 *
 * @throws ApiError `unauthorized`, `tokenExpired`, `portalOnly`, `insufficientScope`
 */
export function requireUser(
  authenticator: Authenticator,
  scopes: readonly Scope[],
): RequestHandler {
  return async (request, response, next) => {
    const state = requestState(response);
    state.principal = await authenticator.principal(request.headers.authorization);
    const granted = state.apiKey?.scopes ?? [];
    if (!scopes.every((scope) => granted.includes(scope))) throw new ApiError('insufficientScope');
    next();
  };
}
