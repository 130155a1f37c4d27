import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { ApiError } from '../api/api-error.js';
import type { ConcurrencyLimit } from '../api/concurrency-limit.js';
import type { RateLimit } from '../api/shared-rate-limit.js';
import type { ReadTrail } from '../audit/read-trail.js';
import type { Handlers } from '../generated/handlers.gen.js';
import { createRouter } from '../generated/router.gen.js';
import type { Authenticator } from '../identity/authenticator.js';
import type { ApiKeyContext, UserContext } from '../identity/request-context.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { Readiness } from '../telemetry/readiness.js';
import type { UsageCounter } from '../usage/usage-counter.js';
import { requireApiKey } from './authentication.js';
import { createBindOperation, methodNotAllowed } from './bind-operation.js';
import { createCallLimits } from './call-limits.js';
import { createDocsRouter } from './docs.js';
import { errorHandler } from './error-handler.js';
import type { MessageClasses } from './http-server.js';
import { createRequestLog } from './request-state.js';
import { allowOrigin, withHsts } from './response-headers.js';
import { requireOriginForm } from './unreadable-requests.js';
import { basePath } from './validation/operation-validator.js';

export interface AppSettings {
  readonly publicUrl: string;
  /** The number of proxies that each request passes, or their subnets, in the form of Express. */
  readonly trustedProxies: number | readonly string[] | undefined;
  readonly corsOrigin: string;
  /** Calls per minute of an API key: for each firm, of sign-ins, and of refused calls. */
  readonly rateLimitPerMinute: number;
  readonly docsDir: string;
}

/** The application, and the classes of its requests and responses, for the HTTP server. */
export interface App extends MessageClasses {
  readonly listener: RequestListener;
}

interface AppDependencies {
  readonly settings: AppSettings;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'countRequest'>;
  readonly authenticator: Authenticator;
  readonly handlers: Handlers<UserContext, ApiKeyContext>;
  /** Returns the public keys of ID tokens as a JSON Web Key Set. */
  readonly jwks: () => Promise<object>;
  /** The page on which contacts sign. */
  readonly signingPage: { readonly path: string; readonly router: Router };
  readonly readiness: () => Promise<Readiness>;
  readonly rateLimit: RateLimit;
  readonly turnOfFirm: ConcurrencyLimit;
  readonly turnOfSignIn: ConcurrencyLimit;
  readonly usage: Pick<UsageCounter, 'count'>;
  readonly trail: Pick<ReadTrail, 'add'>;
}

/**
 * Serves the interface under `/v1`, the signing page, docs, keys and health checks. A call passes
 * the check of its target, the steps of `api`, then those of {@link createBindOperation}.
 */
export function createApp(dependencies: AppDependencies): App {
  const { settings, logger, metrics, authenticator, handlers, jwks, signingPage } = dependencies;
  const { publicUrl, trustedProxies, corsOrigin, rateLimitPerMinute } = settings;
  const limits = createCallLimits({ ...dependencies, callsPerMinute: rateLimitPerMinute });
  const requestLog = createRequestLog(logger, metrics);
  const api = Router({ caseSensitive: true, strict: true }).use(
    // Before everything that can fail: the error handler needs the request's id.
    requestLog,
    allowOrigin(corsOrigin),
    requireApiKey(authenticator),
    createRouter<UserContext, ApiKeyContext>({
      handlers,
      bind: createBindOperation({ ...dependencies, limits, publicUrl }),
      methodNotAllowed,
    }),
    noSuchPath(publicUrl),
    limits.countRefused,
  );
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Each path has only one spelling. The validator reads these settings too.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  if (trustedProxies !== undefined) app.set('trust proxy', trustedProxies);
  // First, because Express compares the path of a request with that of each layer in turn.
  app.use(basePath, api);
  app.use(createHealthRouter(dependencies.readiness));
  app.use(requestLog);
  app.use(signingPage.path, signingPage.router);
  app.use(createDocsRouter(settings));
  app.get('/.well-known/jwks.json', async (_request, response) => {
    const keys = await jwks();
    response.setHeader('Cache-Control', 'public, max-age=300');
    response.json(keys);
  });
  app.use(noSuchPath(publicUrl));
  app.use(errorHandler);
  const checked = requireOriginForm(app, logger);
  const listener = new URL(publicUrl).protocol === 'https:' ? withHsts(checked) : checked;
  return { listener, ...messageClasses(app) };
}

/**
 * Returns classes whose instances have the prototypes of the application. Express gives these to
 * each request and response, and V8 runs all code slowly that uses an object whose prototype was
 * replaced: 20 µs of CPU time for each call.
 */
function messageClasses(app: Express): MessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

function noSuchPath(publicUrl: string): RequestHandler {
  const message = `No operation has this path: addresses begin with ${publicUrl}${basePath} and do not end in a slash.`;
  return () => {
    throw new ApiError('notFound', { message });
  };
}

/**
 * Serves `GET /healthz` (the process is alive) and `GET /readyz` (its dependencies respond),
 * outside `/v1` and without credentials. An outage of the storage alone is 200 with `degraded`,
 * because most calls do not need it (D-55). A process that was told to stop answers 503.
 */
export function createHealthRouter(readiness: () => Promise<Readiness>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const current = await readiness();
    const takesCalls = current.status === 'ready' || current.status === 'degraded';
    response.status(takesCalls ? 200 : 503).json(current);
  });
  return router;
}
