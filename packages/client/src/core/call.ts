import type { OperationId, PaginatedOperationId, RecordOf, SuccessBody } from '@adx/contract';
import type {
  NetworkError,
  NotFoundError,
  RateLimitError,
  ServerError,
  StorageError,
} from '../errors.js';
import type { Fetch } from './fetch.js';
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

  /** Does a part of a call until the caller's signal aborts or time is up. */
  within<T>(operation: OperationId, run: Attempt<T>, options: CallOptions | undefined): Promise<T>;

  /** The same, repeated after what may pass by itself. */
  repeat<T>(
    operation: OperationId,
    idempotent: boolean,
    run: Attempt<T>,
    options: CallOptions | undefined,
  ): Promise<T>;

  /** Waits, but not longer than until the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;

  /**
   * For the parts that are loaded when first used. They import nothing that the client holds, for a
   * bundler would move it into a file of its own, to be loaded beside the client by everyone.
   */
  readonly errors: {
    readonly NetworkError: typeof NetworkError;
    readonly NotFoundError: typeof NotFoundError;
    readonly RateLimitError: typeof RateLimitError;
    readonly ServerError: typeof ServerError;
    readonly StorageError: typeof StorageError;
  };

  /** For requests to the object storage, which carry no credentials of the service. */
  readonly fetch: Fetch;
  readonly storageUrl: string | undefined;
  readonly storageRegion: string | undefined;
}

/** Does something once; the signal says when it is no longer waited for. */
export type Attempt<T> = (signal: AbortSignal) => Promise<T>;

/** The body of a paginated list: its filters, and from where on how many records (§4.22). */
export interface PageBody {
  limit?: number | undefined;
  offset?: number | undefined;
}
