import type { Response } from 'express';
import type { Logger } from 'pino';
import type { ApiKey } from '../identity/api-keys.js';
import type { Principal } from '../identity/principal.js';
import type { ValidatedOperation } from './validation-error.js';

/** What the steps of a request learn one after another; each step reads what those before it set. */
export interface RequestState {
  readonly requestId: string;
  readonly log: Logger;
  apiKey?: ApiKey;
  principal?: Principal;
  /** The operation that was called; before it is known, and where there is none, {@link noOperation}. */
  operation: ValidatedOperation & { readonly operationId?: string };
}

const noOperation: RequestState['operation'] = { errors: [], alternatives: 1 };

/** The state of a request; set by {@link beginRequest} before anything else runs. */
export function requestState(response: Response): RequestState {
  return response.locals as unknown as RequestState;
}

/** Sets the state at the start of a request. */
export function beginRequest(
  response: Response,
  state: Pick<RequestState, 'requestId' | 'log'>,
): void {
  Object.assign(response.locals, { ...state, operation: noOperation });
}
