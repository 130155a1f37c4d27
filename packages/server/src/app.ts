import type { RequestListener } from 'node:http';
import express, { type RequestHandler, type Router } from 'express';
import type { Logger } from 'pino';
import type { ServiceConfig } from './config.js';
import type { Handlers } from './generated/handlers.gen.js';
import { createRouter } from './generated/router.gen.js';
import { ApiError } from './http/api-error.js';
import { createBindOperation, methodNotAllowed } from './http/bind-operation.js';
import { allowOrigin } from './http/cors.js';
import { createDocsRouter } from './http/docs.js';
import { errorHandler } from './http/error-handler.js';
import { createHealthRouter, type ReadinessCheck } from './http/health.js';
import { basePath } from './http/operation-validator.js';
import { createRateLimit } from './http/rate-limit.js';
import type { ApiKeyContext, UserContext } from './http/request-context.js';
import { createRequestLog } from './http/request-log.js';
import { requireOriginForm } from './http/request-target.js';
import { requireApiKey } from './http/require-api-key.js';
import type { Authenticator } from './identity/authenticator.js';

/** What the app is made of. */
export interface AppDependencies {
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
