import type { OperationId, PaginatedOperationId, RecordOf, SuccessBody } from '@adx/contract';
import type { Page } from './page.js';

/** Options of a single call. */
export interface CallOptions {
  /** Cancels the call. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds each attempt may take, and the wait for a sign-in before it; the client's
   * `timeoutMs`, for each attempt to sign in as well, where absent.
   */
  timeoutMs?: number | undefined;
}

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** Fixed text and parameters in turn: `['/customers/', customerId, '/bank-accounts/', iban]`. */
export type Path = readonly string[];

/** What a generated method knows of its operation besides method and path. */
export interface CallInit {
  /** JSON body. */
  body?: unknown;
  /** Of a POST: repeating it does no harm, so it may be repeated when its outcome is unknown. */
  idempotent?: boolean;
  /** False for the one operation that needs no ID token: obtaining it. */
  idToken?: boolean;
}

/** What the generated methods call. */
export interface Caller {
  call<Id extends OperationId>(
    operation: Id,
    method: Method,
    path: Path,
    options: CallOptions | undefined,
    init?: CallInit,
  ): Promise<SuccessBody<Id>>;

  page<Id extends PaginatedOperationId>(
    operation: Id,
    path: Path,
    body: PageBody,
    options: CallOptions | undefined,
  ): Page<RecordOf<Id>>;
}

/** The body of a paginated list: its filters, and from where on how many records (§4.22). */
export interface PageBody {
  limit?: number | undefined;
  offset?: number | undefined;
}
