import type { OperationId, paths, TokenRequest } from '@adx/contract';
import { TimeoutError, UnauthorizedError } from '../errors.js';
import { wait, withDeadline } from './abortable.js';
import type { Caller, CallInit, CallOptions, Method, PageBody, RecordOf, Success } from './call.js';
import { type Page, type PageRecords, pageOf } from './page.js';
import { retryDelay } from './retry-delay.js';
import { Session } from './session.js';
import type { CallRequest, Transport } from './transport.js';

export interface CallerOptions {
  timeoutMs: number;
  maxRetries: number;
  onRefreshToken: ((refreshToken: string) => unknown) | undefined;
}

/** Makes calls as a user: signs in when needed, and repeats what may be repeated. */
export class AuthenticatedCaller implements Caller {
  readonly #transport: Transport;
  readonly #options: CallerOptions;
  readonly #session: Session;

  constructor(transport: Transport, signIn: TokenRequest, options: CallerOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#session = new Session(
      signIn,
      (body) => this.call('getToken', 'post', '/token', { body, idToken: false, idempotent: true }),
      options.onRefreshToken,
    );
  }

  // Here alone an answer gets its type: the service is trusted to answer what its interface says.

  call<P extends keyof paths, M extends Method & keyof paths[P]>(
    operation: OperationId,
    method: M,
    path: P,
    init: CallInit,
  ): Promise<Success<paths[P][M]>> {
    return this.#call({ operation, method, path, init }) as Promise<Success<paths[P][M]>>;
  }

  page<P extends keyof paths>(
    operation: OperationId,
    path: P,
    body: PageBody,
    options: CallOptions | undefined,
  ): Page<RecordOf<paths[P]>> {
    const pageFrom = (offset: number | undefined) => {
      const init = { body: { ...body, offset }, idempotent: true, options };
      const answer = this.#call({ operation, method: 'post', path, init });
      return answer as Promise<PageRecords<RecordOf<paths[P]>>>;
    };
    return pageOf(body.offset, pageFrom);
  }

  async #call(request: CallRequest): Promise<unknown> {
    if (request.init.idToken === false) return this.#send(request);
    const idToken = await this.#idToken(request);
    try {
      return await this.#send(request, idToken);
    } catch (error) {
      // Refused before anything was done, so any call may be repeated; `portalOnly` would stay refused.
      if (!(error instanceof UnauthorizedError) || error.code === 'portalOnly') throw error;
      return this.#send(request, await this.#idToken(request, idToken));
    }
  }

  /** Waits no longer than the call itself asks for: the sign-in is shared, and goes on for others. */
  #idToken(request: CallRequest, refused?: string): Promise<string> {
    // The client's own limit is that of each attempt to sign in, which may be repeated.
    const limit = request.init.options?.timeoutMs ?? Number.POSITIVE_INFINITY;
    return within(request, limit, () => this.#session.idToken(refused));
  }

  async #send(request: CallRequest, idToken?: string): Promise<unknown> {
    const { idempotent, options } = request.init;
    const limit = options?.timeoutMs ?? this.#options.timeoutMs;
    for (let retries = 0; ; retries++) {
      try {
        return await within(request, limit, (signal) => this.#transport(request, idToken, signal));
      } catch (error) {
        const delay = retryDelay(error, retries, idempotent);
        if (delay === undefined || !(retries < this.#options.maxRetries)) throw error;
        await wait(delay, options?.signal);
      }
    }
  }
}

/** Does a part of a call until the caller's signal aborts or time is up. */
function within<T>(
  { operation, init }: CallRequest,
  milliseconds: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeUp = () =>
    new TimeoutError(operation, `${operation} took longer than ${milliseconds} ms`);
  return withDeadline(run, milliseconds, timeUp, init.options?.signal);
}
