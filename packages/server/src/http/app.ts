import type { RequestListener } from 'node:http';
import { operations } from '@adx/contract';
import express, { type RequestHandler, Router } from 'express';
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
import { createHealthRouter } from './health.js';
import { createRequestLog } from './request-state.js';
import { refuseRequest } from './unreadable-requests.js';
import { basePath } from './validation/operation-validator.js';

/** The settings of the HTTP application. */
export interface AppSettings {
  readonly publicUrl: string;
  /** In the form of Express: how many every request passes, or their subnets; undefined for none. */
  readonly trustedProxies: number | readonly string[] | undefined;
  readonly corsOrigin: string;
  /** Calls per minute of an API key: for each firm, of sign-ins, and of refused calls. */
  readonly rateLimitPerMinute: number;
  /** Absolute path of the built documentation. */
  readonly docsDir: string;
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

/** Creates the HTTP application: the interface under `/v1`, the signing page, docs, keys and health checks. */
export function createApp(dependencies: AppDependencies): RequestListener {
  const { settings, logger, metrics, authenticator, handlers, jwks } = dependencies;
  const { signingPage, readiness, usage, trail } = dependencies;
  const limits = createCallLimits({ ...dependencies, callsPerMinute: settings.rateLimitPerMinute });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Each path has only one spelling. The validator reads these settings too.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  if (settings.trustedProxies !== undefined) app.set('trust proxy', settings.trustedProxies);
  const requestLog = createRequestLog(logger, metrics);
  const api = Router({ caseSensitive: true, strict: true }).use(
    // Before everything that can fail: the error handler needs the request's id.
    requestLog,
    allowOrigin(settings.corsOrigin),
    requireApiKey(authenticator),
    createRouter<UserContext, ApiKeyContext>({
      handlers,
      bind: createBindOperation({
        authenticator,
        limits,
        usage,
        trail,
        publicUrl: settings.publicUrl,
      }),
      methodNotAllowed,
    }),
    noSuchPath(settings.publicUrl),
    limits.countRefused,
  );
  // First, because Express compares the path of a request with that of each layer in turn.
  app.use(basePath, api);
  app.use(createHealthRouter(readiness));
  app.use(requestLog);
  app.use(signingPage.path, signingPage.router);
  app.use(createDocsRouter(settings));
  app.get('/.well-known/jwks.json', async (_request, response) => {
    const keys = await jwks();
    response.setHeader('Cache-Control', 'public, max-age=300');
    response.json(keys);
  });
  app.use(noSuchPath(settings.publicUrl));
  app.use(errorHandler);
  const listener = requireOriginForm(app, logger);
  const isSecure = new URL(settings.publicUrl).protocol === 'https:';
  return isSecure ? withHsts(listener) : listener;
}

function noSuchPath(publicUrl: string): RequestHandler {
  const message = `No operation has this path: addresses begin with ${publicUrl}${basePath} and do not end in a slash.`;
  return () => {
    throw new ApiError('notFound', { message });
  };
}

const exposedHeaders =
  'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Link';
const allowedHeaders = [
  ...['authorization', 'content-type', 'x-api-key'],
  ...new Set(Object.values(operations).flatMap(({ headerParameters }) => headerParameters)),
].join(', ');
const allowedMethods = 'GET, POST, PATCH, DELETE';

/**
 * Lets web pages of other origins call the interface. This is safe for any origin: credentials are
 * headers that the page sets itself, and no cookie is ever read.
 *
 * @param origin - an origin, or `*` for all
 */
function allowOrigin(origin: string): RequestHandler {
  return (request, response, next) => {
    // Responses contain personal data and tokens.
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    if (origin !== '*') response.setHeader('Vary', 'Origin');
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) {
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Headers', allowedHeaders);
    response.setHeader('Access-Control-Allow-Methods', allowedMethods);
    response.setHeader('Access-Control-Max-Age', '86400');
    response.statusCode = 204;
    response.end();
  };
}

/**
 * Tells browsers to use only HTTPS for this host, for a year (HSTS). Other hosts of the domain are the
 * operator's decision, so `includeSubDomains` is left to the reverse proxy.
 */
function withHsts(listener: RequestListener): RequestListener {
  return (request, response) => {
    response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    listener(request, response);
  };
}

/** RFC 9112 §3.2.1: a path and an optional query, in visible ASCII characters, without a fragment. */
const originForm = /^\/[!"$-~]*$/;

/**
 * Refuses every request target that is not in origin form, before anything else reads it (D-04).
 *
 * Express parses other forms, drops fragments and trims white space beyond ASCII, while the validator
 * uses the target as it was sent, so the two could see different paths. This cannot be a middleware,
 * because Express responds to some of these requests itself.
 */
function requireOriginForm(listener: RequestListener, logger: Logger): RequestListener {
  return (request, response) => {
    if (originForm.test(request.url ?? '')) {
      listener(request, response);
      return;
    }
    refuseRequest(
      request,
      response,
      logger,
      'the request target must be a path and an optional query, percent-encoded and without a fragment',
    );
  };
}
