import type {
  OperationId,
  PaginatedOperationId,
  RecordOf,
  SuccessBody,
  TokenRequest,
} from '@adx/contract';
import {
  AdxError,
  ApiError,
  NetworkError,
  NotFoundError,
  StorageError,
  TimeoutError,
  UnauthorizedError,
} from '../errors.js';
import { checkTimeout, wait, withDeadline } from './abortable.js';
import type {
  ApiResponse,
  Caller,
  CallInit,
  CallOptions,
  Fetch,
  Method,
  PageBody,
  Path,
} from './call.js';
import type { Logger, LogLevel } from './log.js';
import { networkErrorOf } from './network-error-of.js';
import { type Page, type PageRecords, pageOf } from './page.js';
import { isTemporary, retryDelay } from './retry-delay.js';
import { createSession } from './session.js';
import type { Transport } from './transport.js';

export interface CallerOptions {
  /**
   * The timeout of each attempt of a call in milliseconds, 30,000 by default. The upload of a file
   * has a second more for each 50 kB, unless it has a `timeoutMs` of its own.
   */
  timeoutMs?: number | undefined;
  /**
   * The maximum number of times a call is retried after a lost connection, a timeout, 408, 425,
   * 429, or 5xx except 501; 0 for never. By default 8: with pauses that grow from a quarter of a
   * second, a call survives an outage of a minute.
   */
  maxRetries?: number | undefined;
  /**
   * Receives lines about attempts of calls: `console`, or the logger of a library. No line has a
   * key, a password, a token, a URL or data.
   */
  logger?: Logger | undefined;
  /**
   * The lines for the logger, by default `warn`: attempts that failed and are repeated. `info`:
   * also calls that failed. `debug`: also those that succeeded.
   */
  logLevel?: LogLevel | undefined;
  /** Receives the refresh token of each sign-in, to store it for a later `createClient`. */
  onRefreshToken?: ((refreshToken: string) => unknown) | undefined;
  /**
   * The address of the object storage for uploads, if it is not the one in the upload credentials:
   * `https://minio.example.org`, or with the bucket in the host name,
   * `https://{bucket}.s3.eu-central-1.amazonaws.com`.
   */
  storageUrl?: string | undefined;
  /** The region of the object storage, if it is not the one in the upload credentials. */
  storageRegion?: string | undefined;
}

/** Each level has the lines of those before it, too. */
const logLevels: readonly LogLevel[] = ['off', 'warn', 'info', 'debug'];

/**
 * Returns what every attempt of a call sends: a copy of the body, which the caller may change
 * meanwhile, and a new `Idempotency-Key` (D-43), unless the caller has chosen one, in any letter
 * case: of two names of a header, the last one counts.
 */
function repeatable({ body, headers = {}, ...init }: CallInit): CallInit {
  // 128 random bits. Web pages have `crypto.randomUUID` only with HTTPS.
  const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-');
  const { 'Idempotency-Key': key = newKey(), ...others } = headers;
  return {
    ...init,
    body: body && JSON.parse(JSON.stringify(body)),
    headers: { 'Idempotency-Key': key, ...others },
  };
}

/**
 * Creates a caller for a user. It signs in when needed, and retries calls after temporary failures.
 */
export function createCaller(
  transport: Transport,
  fetch: Fetch,
  signIn: TokenRequest,
  {
    timeoutMs: defaultTimeoutMs = 30_000,
    maxRetries: defaultMaxRetries = 8,
    logger,
    logLevel = 'warn',
    onRefreshToken,
    storageUrl,
    storageRegion,
  }: CallerOptions,
  safeUrl: Caller['safeUrl'],
  baseUrl: string,
): Caller {
  checkTimeout(defaultTimeoutMs);
  // Otherwise a level in capitals would log nothing.
  const levels = logLevels.slice(0, logLevels.indexOf(logLevel) + 1);
  if (!levels[0]) throw new TypeError(`logLevel must be one of ${logLevels.join(', ')}`);
  const ownHost = new URL(baseUrl).host;
  const logging = logger && import('./log.js').then((it) => it.logTo(logger, levels));
  const caller: Caller = {
    fetch,
    storageUrl,
    storageRegion,
    safeUrl,
    wait,
    networkErrorOf,
    errors: { AdxError, ApiError, NetworkError, NotFoundError, StorageError, isTemporary },

    async within(operation, run, { signal, host = ownHost, extraMs = 0, ...options } = {}) {
      const { timeoutMs = defaultTimeoutMs + extraMs } = options;
      checkTimeout(timeoutMs);
      return withDeadline(
        run,
        timeoutMs,
        () => {
          const message = `${operation} took longer than ${timeoutMs} ms (${host})`;
          return new TimeoutError(operation, message, { host, reason: 'timeout' });
        },
        signal,
      );
    },

    async repeat(operation, idempotent, run, options = {}) {
      const { maxRetries = defaultMaxRetries } = options;
      for (let retries = 0; ; retries++) {
        const begun = Date.now();
        const attempt = caller.within(operation, run, options);
        let pause: number | undefined;
        try {
          return await attempt;
        } catch (error) {
          if (retries < maxRetries) pause = retryDelay(error, retries, idempotent);
          if (pause === undefined) throw error;
        } finally {
          const took = Date.now() - begun;
          logging?.then((log) => log(operation, took, attempt, pause));
        }
        await wait(pause, options.signal);
      }
    },

    call(...given) {
      const answer = answerOf(...given);
      const data = answer.then((each) => each.data);
      // From `data`, whose rejection would otherwise be unhandled.
      return Object.assign(data, { withResponse: () => data.then(() => answer) });
    },

    page<Id extends PaginatedOperationId>(
      operation: Id,
      path: Path,
      body: PageBody,
      options: CallOptions | undefined,
      sent?: Omit<CallInit, 'body'>,
    ): Page<RecordOf<Id>> {
      return pageOf(body.offset, (offset) => {
        const init = { ...sent, body: { ...body, offset }, idempotent: true };
        return caller.call<PaginatedOperationId>(operation, 'post', path, options, init) as Promise<
          PageRecords<RecordOf<Id>>
        >;
      });
    },
  };

  async function answerOf<Id extends OperationId>(
    operation: Id,
    method: Method,
    path: Path,
    options: CallOptions | undefined,
    init: CallInit = {},
  ): Promise<ApiResponse<SuccessBody<Id>>> {
    const { idempotencyKey = false, idempotent = idempotencyKey || method !== 'post' } = init;
    const sent = idempotencyKey ? repeatable(init) : init;

    // Concurrent calls share a sign-in, which continues for the others if this call gives up. The
    // default timeout applies to each attempt to sign in, not to this wait.
    const idToken = (refused?: string) =>
      caller.within(operation, () => session(refused), {
        signal: options?.signal,
        timeoutMs: options?.timeoutMs ?? Number.POSITIVE_INFINITY,
      });

    const send = async (token?: string) => {
      const answer = await caller.repeat(
        operation,
        idempotent,
        (deadline) => transport(operation, method, path, sent, token, deadline),
        options,
      );
      if (init.fileName) {
        const { checkFileNames } = await import('./files/check-file-names.js');
        checkFileNames(caller, operation, init.fileName, answer.data);
      }
      return answer;
    };

    if (init.idToken === false) return send();
    const token = await idToken();
    try {
      return await send(token);
    } catch (error) {
      // The service refused the call before it did anything, so any call may be retried. A user
      // who is `portalOnly` would be refused again.
      if (!(error instanceof UnauthorizedError) || error.code === 'portalOnly') throw error;
      return send(await idToken(token));
    }
  }

  const session = createSession(
    signIn,
    (body, idempotent) => {
      const init = { body, idempotent, idToken: false };
      return caller.call('getToken', 'post', ['/token'], undefined, init);
    },
    onRefreshToken,
  );
  return caller;
}
