import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { ApiKey } from './api-keys.js';
import type { Principal } from './principal.js';

/** The context of a request to an operation that requires only an API key. */
export interface ApiKeyContext {
  /** The id in the `X-Request-Id` header and in every error body. */
  readonly requestId: string;
  readonly apiKey: ApiKey;
  readonly log: Logger;
}

/** The ids of a change that are not in the path of its call. */
export interface ChangedSubject {
  /** Absent if it is in the path, or if the change concerns several customers or none. */
  readonly customerId?: string | undefined;
  /** Absent if it is in the path, or if there is none, or several. */
  readonly objectId?: string | undefined;
  /** `repeated` for a call that got the answer of an earlier one (D-43); otherwise `done`. */
  readonly outcome?: 'repeated';
}

/** Adds the entry of a call to the audit trail, in the transaction of its change (D-58). */
export type RecordChange = (trx: Knex.Transaction, subject?: ChangedSubject) => Promise<void>;

/** A user who changes something. Each change calls `record` once, in its transaction. */
export interface Author {
  readonly principal: Principal;
  readonly record: RecordChange;
}

/** The context of a request to an operation that also requires an ID token. */
export interface UserContext extends ApiKeyContext, Author {}

export interface Caller {
  readonly principal: Principal;
  readonly apiKeyId: string;
}

export function callerOf({ principal, apiKey, record }: UserContext): Caller & Author {
  return { principal, apiKeyId: apiKey.id, record };
}
