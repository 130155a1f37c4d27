import type { OperationId, PaginatedOperationId, RecordOf, SuccessBody } from '@adx/contract';
import type { AdxError, ApiError, NetworkError, NotFoundError, StorageError } from '../errors.js';
import type { networkErrorOf } from './network-error-of.js';
import type { Page } from './page.js';
import type { isTemporary } from './retry-delay.js';

/** A function to use instead of the global `fetch`, such as that of undici. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchedResponse>;

/** The parts of a request. Every implementation of `fetch` takes them. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
  redirect: 'manual';
  credentials?: 'omit';
  referrerPolicy?: 'no-referrer';
  cache?: 'no-store';
}

/** The parts of a response that the client uses. */
export interface FetchedResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly type: string;
  readonly headers: { get(name: string): string | null };
  readonly body: ByteStream | null;
  text(): Promise<string>;
}

/** A stream of bytes, whichever library's types describe it. */
export interface ByteStream {
  getReader(): {
    read(): Promise<{ value?: Uint8Array | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
  cancel(): Promise<void>;
}

/** Options of a single call. */
export interface CallOptions {
  /** Cancels the call. */
  signal?: AbortSignal | undefined;
  /**
   * The timeout of each attempt in milliseconds, which also applies to the wait for a sign-in
   * before it. By default the `timeoutMs` of the client; the wait for a sign-in then has no
   * limit other than that of each attempt to sign in.
   */
  timeoutMs?: number | undefined;
  /** The maximum number of retries; by default the `maxRetries` of the client. */
  maxRetries?: number | undefined;
}

/** A response, and its data. */
export interface ApiResponse<T> {
  readonly data: T;
  /**
   * Has the `status` and the `headers`: `headers.get('x-request-id')` is the id of the request, and
   * `headers.get('ratelimit')` says how many calls are left. Its body has been read.
   */
  readonly response: Pick<FetchedResponse, 'status' | 'headers'>;
}

/** A call: await it for the data of the response. */
export interface ApiPromise<T> extends Promise<T> {
  /**
   * Resolves with the data and the response. If the call was retried, it is the last response.
   *
   * @example
   * ```ts
   * const { data, response } = await client.customers.get(customerId).withResponse();
   * ```
   */
  withResponse(): Promise<ApiResponse<T>>;
}

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** Fixed parts, and parameters by name: `['/customers/', { customerId }, '/request']`. */
export type Path = readonly (string | Readonly<Record<string, string | number | boolean>>)[];

/** The body, query and headers of a call. */
export interface Sent {
  /** JSON body. */
  body?: unknown;
  query?: Readonly<Record<string, unknown>> | undefined;
  headers?: Readonly<Record<string, unknown>> | undefined;
}

/** Properties of a call besides its method and path. */
export interface CallInit extends Sent {
  /** True for a POST that may be retried when its outcome is unknown. */
  idempotent?: boolean;
  /** True for a POST that may be retried with the same `Idempotency-Key`. */
  idempotencyKey?: boolean;
  /** False for the operation that issues ID tokens. */
  idToken?: boolean;
  /** The pattern of the names of files in the answer. */
  fileName?: RegExp;
}

/** Makes the calls of the generated methods. */
export interface Caller {
  call<Id extends OperationId>(
    operation: Id,
    method: Method,
    path: Path,
    options: CallOptions | undefined,
    init?: CallInit,
  ): ApiPromise<SuccessBody<Id>>;

  page<Id extends PaginatedOperationId>(
    operation: Id,
    path: Path,
    body: PageBody,
    options: CallOptions | undefined,
    init?: Omit<CallInit, 'body'>,
  ): Page<RecordOf<Id>>;

  /** Runs a part of a call, until the caller's signal aborts or the time is up. */
  within<T>(operation: OperationId, run: Attempt<T>, options: HostOptions | undefined): Promise<T>;

  /** Runs a part of a call like `within`, and retries it after a temporary failure. */
  repeat<T>(
    operation: OperationId,
    idempotent: boolean,
    run: Attempt<T>,
    options: HostOptions | undefined,
  ): Promise<T>;

  /** Waits. Rejects when the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;

  /**
   * Error classes, and a test of them, for the parts that are loaded when they are first used. If
   * these parts imported them, a bundler would move the classes into a separate file, which every
   * page would have to load.
   */
  readonly errors: {
    readonly AdxError: typeof AdxError;
    readonly ApiError: typeof ApiError;
    readonly NetworkError: typeof NetworkError;
    readonly NotFoundError: typeof NotFoundError;
    readonly StorageError: typeof StorageError;
    readonly isTemporary: typeof isTemporary;
  };

  /** Returns the error for a request that got no complete response. */
  readonly networkErrorOf: typeof networkErrorOf;

  /** The `fetch` of requests to the object storage, which carry no credentials of the service. */
  readonly fetch: Fetch;
  readonly storageUrl: string | undefined;
  readonly storageRegion: string | undefined;
  /**
   * Returns a URL as `fetch` needs it.
   *
   * @throws {TypeError} if it would send credentials unencrypted, and the client does not allow
   *   that
   */
  safeUrl(name: string, url: string): string;
}

/** Options of a call to a host, by default that of the service. */
export interface HostOptions extends CallOptions {
  host?: string;
  /** Time in ms that is added to the default timeout. */
  extraMs?: number;
}

/** One attempt. Its result is ignored once the signal has aborted. */
type Attempt<T> = (signal: AbortSignal) => Promise<T>;

/** The part of the body that all paginated lists share (§4.22). */
export interface PageBody {
  limit?: number | undefined;
  offset?: number | undefined;
}
