import type { Response } from 'express';
import type { Logger } from 'pino';
import type { ApiKey } from '../identity/api-keys.js';
import type { Principal } from '../identity/principal.js';
import { requestState } from './request-state.js';

/** What every handler is told about its request. */
export interface ApiKeyContext {
  /** Also in the `X-Request-Id` header and in every error body. */
  readonly requestId: string;
  /** The partner software that calls. */
  readonly apiKey: ApiKey;
  readonly log: Logger;
}

/** What a handler is told when the operation also requires an ID token. */
export interface UserContext extends ApiKeyContext {
  readonly principal: Principal;
}

/** The context of a request that was authenticated as far as its operation asks for. */
export function requestContext(response: Response): ApiKeyContext & Partial<UserContext> {
  const { requestId, log, apiKey, principal } = requestState(response);
  if (apiKey === undefined) throw new Error('A handler was reached without an API key');
  return principal === undefined
    ? { requestId, log, apiKey }
    : { requestId, log, apiKey, principal };
}
