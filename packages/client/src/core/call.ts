import type { OperationId, paths } from '@adx/contract';
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

/** What a generated method knows of its operation besides method and path. */
export interface CallInit {
  /** Path parameters by name. */
  path?: Record<string, string>;
  /** JSON body. */
  body?: unknown;
  /** Repeating the call does no harm, so it may be repeated when its outcome is unknown. */
  idempotent?: boolean;
  /** False for the one operation that needs no ID token: obtaining it. */
  idToken?: boolean;
  options?: CallOptions | undefined;
}

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** What the generated methods call. */
export interface Caller {
  call<P extends keyof paths, M extends Method & keyof paths[P]>(
    operation: OperationId,
    method: M,
    path: P,
    init: CallInit,
  ): Promise<Success<paths[P][M]>>;

  page<P extends keyof paths>(
    operation: OperationId,
    path: P,
    body: PageBody,
    options: CallOptions | undefined,
  ): Page<RecordOf<paths[P]>>;
}

/** The body of a paginated list: its filters, and from where on how many records (§4.22). */
export interface PageBody {
  limit?: number | undefined;
  offset?: number | undefined;
}

export type Success<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type RecordOf<Path> = Path extends { post: infer Operation }
  ? Success<Operation> extends { records: (infer Item)[] }
    ? Item
    : never
  : never;
