import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import express, { type RequestHandler, type Router } from 'express';
import type { Logger } from 'pino';
import { ApiError } from '../api/api-error.js';
import { createRateLimit } from '../api/rate-limit.js';
import type { ServiceConfig } from '../config.js';
import type { Handlers } from '../generated/handlers.gen.js';
import { createRouter } from '../generated/router.gen.js';
import type { Authenticator } from '../identity/authenticator.js';
import type { ApiKeyContext, UserContext } from '../identity/request-context.js';
import { requireApiKey } from './authentication.js';
import { createBindOperation, methodNotAllowed } from './bind-operation.js';
import { allowOrigin } from './cors.js';
import { createDocsRouter } from './docs.js';
import { errorHandler, sendError } from './error-handler.js';
import { createHealthRouter, type ReadinessCheck } from './health.js';
import { basePath } from './operation-validator.js';
import { createRequestLog } from './request-log.js';

/** What the app is made of. */
interface AppDependencies {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly authenticator: Authenticator;
  readonly handlers: Handlers<UserContext, ApiKeyContext>;
  /** The public keys of ID tokens, as a JSON Web Key Set. */
  readonly jwks: () => Promise<object>;
  /** Where contacts sign. */
  readonly signingPage: { readonly path: string; readonly router: Router };
  readonly readinessChecks: readonly ReadinessCheck[];
}

/** The whole HTTP surface: the interface under `/v1`, beside it the signing page, the docs, the keys and the health checks. */
export function createApp(dependencies: AppDependencies): RequestListener {
  const { config, logger, authenticator, handlers, jwks, signingPage, readinessChecks } =
    dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // One spelling for each path: the validator reads these settings, too.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  if (config.trustedProxies !== undefined) app.set('trust proxy', config.trustedProxies);
  app.use(createHealthRouter(readinessChecks, logger));
  // Before everything that can fail: the error handler answers and logs with the request's id.
  app.use(createRequestLog(logger));
  app.use(
    basePath,
    allowOrigin(config.corsOrigin),
    noStore,
    requireApiKey(authenticator, createRateLimit(config.rateLimitPerMinute)),
    createRouter<UserContext, ApiKeyContext>({
      handlers,
      bind: createBindOperation(authenticator),
      methodNotAllowed,
    }),
  );
  app.use(signingPage.path, signingPage.router);
  app.use(createDocsRouter({ docsDir: config.docsDir }));
  app.get('/.well-known/jwks.json', async (_request, response) => {
    const keys = await jwks();
    response.setHeader('Cache-Control', 'public, max-age=300');
    response.json(keys);
  });
  app.use(() => {
    throw new ApiError('notFound');
  });
  app.use(errorHandler);
  return requireOriginForm(app, logger);
}

/** Answers hold personal data and tokens: no cache keeps them. */
const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};

/** RFC 9112 §3.2.1: a path and perhaps a query, in visible ASCII characters, without a fragment. */
const originForm = /^\/[!"$-~]*$/;

/**
 * Refuses every request target that is not in origin form before anything else reads it (D-04).
 *
 * Express parses other forms, drops a fragment and trims white space beyond ASCII, where the
 * validator takes the target as it was sent: they would not speak of the same path. It answers
 * some of them by itself, too, so that this cannot be one of its middlewares.
 */
function requireOriginForm(listener: RequestListener, logger: Logger): RequestListener {
  return (request, response) => {
    if (originForm.test(request.url ?? '')) {
      listener(request, response);
      return;
    }
    const requestId = randomUUID();
    const message =
      'the request target must be a path and an optional query, percent-encoded and without a fragment';
    const error = new ApiError('validationFailed', { details: [{ path: '', message }] });
    logger.info(
      { requestId, method: request.method, status: error.status },
      'a request target that is not in origin form was refused',
    );
    response.setHeader('X-Request-Id', requestId);
    sendError(request, response, error, requestId);
  };
}
