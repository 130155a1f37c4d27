import type { Logger } from 'pino';
import type { ApiKey } from './api-keys.js';
import type { Principal } from './principal.js';

/** The context of a request to an operation that requires only an API key. */
export interface ApiKeyContext {
  /** Also in the `X-Request-Id` header and in every error body. */
  readonly requestId: string;
  /** The partner software that calls. */
  readonly apiKey: ApiKey;
  readonly log: Logger;
}

/** The context of a request to an operation that also requires an ID token. */
export interface UserContext extends ApiKeyContext {
  readonly principal: Principal;
}

/** A user with the API key of the calling software. */
export interface Caller {
  readonly principal: Principal;
  readonly apiKeyId: string;
}

export function callerOf({ principal, apiKey }: UserContext): Caller {
  return { principal, apiKeyId: apiKey.id };
}
