import { fileURLToPath } from 'node:url';
import type { Scope } from '@adx/contract';
import express, { type ErrorRequestHandler, type Express, type Request } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Caller } from '../../../../packages/server/src/identity/request-context.js';
import type { Authentication } from './authentication.js';
import type { Reads } from './reads.js';

const apiSpec = fileURLToPath(new URL('../../../../openapi.yaml', import.meta.url));

/** Answers every call for one caller, and checks nothing. */
export function bareApp(reads: Reads, caller: Caller): Express {
  const app = newApp();
  app.use(express.json());
  addRoutes(app, reads, () => caller);
  return app;
}

/** The middleware that is usual with Express, each as its README shows. */
export function usualApp(
  reads: Reads,
  authentication: Authentication,
  callsPerMinute: number,
): Express {
  const app = newApp();
  app.use(express.json());
  app.use(
    rateLimit({
      windowMs: 60_000,
      limit: callsPerMinute,
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      keyGenerator: (request) => request.get('x-api-key') ?? ipKeyGenerator(request.ip ?? ''),
    }),
  );
  app.use(
    OpenApiValidator.middleware({
      apiSpec,
      validateRequests: true,
      validateResponses: false,
      validateSecurity: {
        handlers: {
          async apiKey({ headers }, scopes) {
            const apiKey = await authentication.apiKey(headers['x-api-key']);
            if (apiKey === undefined) return false;
            return scopes.every((scope) => apiKey.scopes.includes(scope as Scope));
          },
          async idToken(request) {
            const { authorization, 'x-api-key': key } = request.headers;
            const apiKey = await authentication.apiKey(key);
            const caller = apiKey && (await authentication.caller(authorization, apiKey));
            Object.assign(request, { caller });
            return caller !== undefined;
          },
        },
      },
    }),
  );
  addRoutes(app, reads, (request) => (request as Request & { caller: Caller }).caller);
  app.use(answerError);
  return app;
}

/** Without the two headers that the service does not send either. */
function newApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  return app;
}

function addRoutes(app: Express, reads: Reads, callerOf: (request: Request) => Caller): void {
  app.get('/v1/customers', async (request, response) => {
    response.json(await reads.listCustomers(callerOf(request)));
  });
  app.get('/v1/customers/:customerId', async (request, response) => {
    const { customerId } = request.params as { customerId: string };
    response.json(await reads.getCustomer(callerOf(request as Request), customerId));
  });
  app.post('/v1/customers', async (request, response) => {
    response.json(await reads.searchCustomers(callerOf(request), request.body));
  });
  app.post('/v1/mandates', async (request, response) => {
    response.json(await reads.searchMandates(callerOf(request), request.body));
  });
  app.post('/v1/banks', async (request, response) => {
    response.json(await reads.listBanks(request.body));
  });
  app.post('/v1/coda-files', async (request, response) => {
    response.json(await reads.listCodaFiles(callerOf(request), request.body));
  });
}

// Express knows error handlers by their four parameters.
const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ message: error.message, errors: error.errors });
};
