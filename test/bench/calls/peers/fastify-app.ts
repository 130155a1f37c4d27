import type {
  ListBanksRequest,
  ListCodaFilesRequest,
  Scope,
  SearchCustomersRequest,
  SearchMandatesRequest,
} from '@adx/contract';
import { type SpecSchema, spec } from '@adx/contract/spec';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Caller } from '../../../../packages/server/src/identity/request-context.js';
import type { Authentication } from './authentication.js';
import type { Reads } from './reads.js';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    scope?: Scope;
  }
}

/** Fastify with its rate limit, and with schemas of requests and answers, as its guides show. */
export async function fastifyApp(
  reads: Reads,
  authentication: Authentication,
  callsPerMinute: number,
): Promise<FastifyInstance> {
  const app = Fastify({
    // By default, unknown fields are removed instead of refused. The spec has keywords of its own.
    ajv: { customOptions: { removeAdditional: false, strictSchema: false } },
  });
  await app.register(rateLimit, {
    max: callsPerMinute,
    timeWindow: '1 minute',
    enableDraftSpec: true,
    keyGenerator: ({ headers, ip }) => headers['x-api-key']?.toString() ?? ip,
  });
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request) => {
    const { headers, routeOptions } = request;
    const apiKey = await authentication.apiKey(headers['x-api-key']);
    if (apiKey === undefined) throw refusal(403);
    const caller = await authentication.caller(headers.authorization, apiKey);
    if (caller === undefined) throw refusal(401);
    const { scope } = routeOptions.config;
    if (scope === undefined || !apiKey.scopes.includes(scope)) throw refusal(403);
    request.caller = caller;
  });
  for (const schema of schemas()) app.addSchema(schema);
  addRoutes(app, reads);
  return app;
}

function addRoutes(app: FastifyInstance, reads: Reads): void {
  const customers = { config: { scope: 'customers:read' } } as const;
  const list = (items: string) => ({ type: 'array', items: { $ref: items } });
  app.get(
    '/v1/customers',
    { ...customers, schema: { response: { 200: list('Customer#') } } },
    ({ caller }) => reads.listCustomers(caller),
  );
  app.get<{ Params: { customerId: string } }>(
    '/v1/customers/:customerId',
    {
      ...customers,
      schema: {
        params: {
          type: 'object',
          required: ['customerId'],
          properties: { customerId: { type: 'string', pattern: '^[0-9a-fA-F]{24}$' } },
        },
        response: { 200: { $ref: 'Customer#' } },
      },
    },
    ({ caller, params }) => reads.getCustomer(caller, params.customerId),
  );
  app.post<{ Body: SearchCustomersRequest }>(
    '/v1/customers',
    { ...customers, schema: bodies('SearchCustomersRequest#', { $ref: 'CustomerPage#' }) },
    ({ caller, body }) => reads.searchCustomers(caller, body),
  );
  app.post<{ Body: SearchMandatesRequest }>(
    '/v1/mandates',
    {
      config: { scope: 'mandates:read' },
      schema: bodies('SearchMandatesRequest#', { $ref: 'MandatePage#' }),
    },
    ({ caller, body }) => reads.searchMandates(caller, body),
  );
  app.post<{ Body: ListBanksRequest }>(
    '/v1/banks',
    { ...customers, schema: bodies('ListBanksRequest#', { $ref: 'BankPage#' }) },
    ({ body }) => reads.listBanks(body),
  );
  app.post<{ Body: ListCodaFilesRequest }>(
    '/v1/coda-files',
    {
      config: { scope: 'files:read' },
      schema: bodies('ListCodaFilesRequest#', list('CodaCustomerGroup#')),
    },
    ({ caller, body }) => reads.listCodaFiles(caller, body),
  );
}

const bodies = (request: string, answer: object) => ({
  body: { $ref: request },
  response: { 200: answer },
});

/** Returns the schemas of the spec in the form of `addSchema`. */
function schemas(): SpecSchema[] {
  const { CodaMandate, CodbMandate, ...others } = spec.components.schemas;
  // The guide of `fast-json-stringify` advises against `oneOf`, which is slow.
  const Mandate = {
    type: 'object',
    required: CodaMandate?.required?.filter((name) => CodbMandate?.required?.includes(name)),
    properties: {
      ...{ ...CodaMandate?.properties, ...CodbMandate?.properties },
      ...{ product: { type: 'string' }, status: { type: 'string' } },
    },
  };
  const all = JSON.stringify({ ...others, Mandate }).replaceAll(
    /#\/components\/schemas\/(\w+)/g,
    '$1#',
  );
  const schemas: Record<string, SpecSchema> = JSON.parse(all);
  return Object.entries(schemas).map(([$id, schema]) => ({ $id, ...schema }));
}

function refusal(statusCode: 401 | 403): Error {
  return Object.assign(new Error('The credentials are refused'), { statusCode });
}
