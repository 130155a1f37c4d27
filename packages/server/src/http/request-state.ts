import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { ipAddressOf, readForwardedFor } from '../api/ip-address.js';
import type { ApiKey } from '../identity/api-keys.js';
import type { Principal } from '../identity/principal.js';
import type { ApiKeyContext, UserContext } from '../identity/request-context.js';
import { type EndedRequest, endOf, type Metrics } from '../telemetry/metrics.js';
import { inRequestSpan } from '../tracing/spans.js';
import { basePath } from './validation/operation-validator.js';

/** The state of a request, to which each step adds what later steps need. */
class RequestState {
  readonly requestId: string;
  readonly #logger: Logger;
  #log: Logger | undefined;
  errorCode?: string | undefined;
  apiKey?: ApiKey;
  principal?: Principal;
  /** True once the call is counted, so that it is not counted again when it fails. */
  isCounted?: boolean;
  /** Undefined until it is known, and for paths that have none. */
  operation?: { readonly operationId: string; readonly path?: string };

  constructor(requestId: string, logger: Logger) {
    this.requestId = requestId;
    this.#logger = logger;
  }

  /** Created when it is read first, because few calls log anything but their end. */
  get log(): Logger {
    this.#log ??= this.#logger.child({ requestId: this.requestId });
    return this.#log;
  }
}

/** The time between two warnings of what a proxy forwards, in ms. */
const WARNING_PAUSE_MS = 60_000;

/**
 * Gives each request its id, state and span. When it ends, it is counted, and the log has one line.
 *
 * The line has the operation instead of the URL, because paths contain IBANs and the tokens of
 * signing URLs. Headers and bodies contain credentials and are never logged.
 */
export function createRequestLog(
  logger: Logger,
  metrics?: Pick<Metrics, 'countRequest'>,
): RequestHandler {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (request, response, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    response.setHeader('X-Request-Id', requestId);
    response.locals = new RequestState(requestId, logger);
    const fromProxy = isFromProxy(request);
    const unreadable = fromProxy ? readForwardedFor(request) : undefined;
    if (unreadable !== undefined && started - warnedAt > WARNING_PAUSE_MS) {
      warnedAt = started;
      const facts = {
        requestId,
        forwardedFor: unreadable.slice(0, 64),
        proxy: ipAddressOf(request),
      };
      logger.warn(
        facts,
        'a proxy forwards no IP address, so its own stands for that of the caller',
      );
    }
    inRequestSpan(fromProxy ? request.headers : undefined, (span) => {
      const onClose = span.bound(() => {
        const { apiKey, principal, operation, errorCode } = requestState(response);
        const { method } = request;
        const ms = performance.now() - started;
        const ended: EndedRequest = {
          operation: operation?.operationId,
          status: response.statusCode,
          code: errorCode,
          isComplete: response.writableFinished,
          partner: apiKey?.partner,
          seconds: ms / 1000,
        };
        metrics?.countRequest(ended);
        // A refused sign-in's reason is left out: an identity provider may name the user in it.
        const { code, outcome } = endOf(ended);
        logger.info({
          requestId,
          method,
          operation: operation?.operationId,
          status: response.statusCode,
          code,
          complete: response.writableFinished,
          ms: Math.round(ms * 10) / 10,
          apiKeyId: apiKey?.id,
          firmId: principal?.firmId,
          userId: principal?.userId,
        });
        span.end({
          method,
          route: operation?.path === undefined ? undefined : `${basePath}${operation.path}`,
          status: response.statusCode,
          isFailure: outcome === 'failed',
          attributes: {
            'adx.operation': operation?.operationId,
            'adx.outcome': outcome,
            'error.type': code,
            'adx.request_id': requestId,
            'adx.partner': apiKey?.partner,
            'adx.api_key_id': apiKey?.id,
            'adx.firm_id': principal?.firmId,
          },
        });
      });
      response.once('close', onClose);
      next();
    });
  };
}

/** Returns true for a trusted proxy: on other connections the headers are those of a caller. */
function isFromProxy({ app, socket }: Request): boolean {
  const isTrusted: (address: string | undefined, hops: number) => boolean =
    app.get('trust proxy fn');
  return isTrusted(socket.remoteAddress, 0);
}

/** Returns the state of a request, which {@link createRequestLog} has set before any other step. */
export function requestState(response: Response): RequestState {
  return response.locals as unknown as RequestState;
}

/** The context of a call, with the principal if its operation requires one. */
export type CallContext = ApiKeyContext & Partial<Pick<UserContext, 'principal'>>;

/** Returns the context of a request whose credentials were checked as its operation requires. */
export function requestContext(response: Response): CallContext {
  const state = requestState(response);
  const { requestId, apiKey, principal } = state;
  if (apiKey === undefined) throw new Error('A handler was reached without an API key');
  return {
    requestId,
    apiKey,
    ...(principal !== undefined && { principal }),
    get log() {
      return state.log;
    },
  };
}
