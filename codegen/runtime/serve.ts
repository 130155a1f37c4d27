import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  Router,
} from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { OpenApiRequest } from 'express-openapi-validator/dist/framework/types.js';
import { bodyKind } from '../src/openapi/media-type.js';

/** What the server needs to know about an operation. */
interface Operation {
  readonly operationId: string;
  readonly queryParameters: readonly string[];
  readonly headerParameters: readonly string[];
  readonly requestTypes: readonly string[];
  readonly responseTypes: Readonly<Record<string, readonly string[]>>;
}

/**
 * Decides whether a request meets a security requirement, for example by its header `authorization`. A
 * refusal is `false`, or an error with a status.
 *
 * @param scopes the scopes that the operation requires
 */
export type SecurityHandler = (request: Request, scopes: string[]) => boolean | Promise<boolean>;

export interface ApiOptions<Handlers, Context, Scheme extends string> {
  readonly handlers: Handlers;
  readonly security: { readonly [Name in Scheme]: SecurityHandler };
  /** Makes the second argument of the handlers. */
  readonly context: (request: Request) => Context;
  /** The path of the interface. By default that of the first server in the spec. */
  readonly basePath?: string;
  /** The largest body, such as `1mb`, which is the default. */
  readonly bodyLimit?: string;
}

/** The result of a handler. */
interface HandlerResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly contentType?: string;
  readonly body?: unknown;
}

/** A handler as the binding calls it; the generated types have the request and response of each. */
type AnyHandler = (request: never, context: never) => HandlerResponse | Promise<HandlerResponse>;

/** Makes the request handlers of an operation, and of all methods that a path does not have. */
interface Binding {
  readonly bind: (operation: Operation, handler: AnyHandler) => readonly RequestHandler[];
  readonly methodNotAllowed: (allowed: readonly string[]) => readonly RequestHandler[];
}

/**
 * Creates the interface as a part of an Express application. Requests that the spec does not allow get
 * `application/problem+json` (RFC 9457) and reach no handler.
 */
export function createInterface<Context>(
  spec: { readonly servers?: readonly { readonly url: string }[] },
  operations: Readonly<Record<string, Operation>>,
  createRouter: (binding: Binding) => Router,
  options: Omit<ApiOptions<unknown, Context, string>, 'handlers'>,
): Router {
  const basePath = options.basePath ?? pathOf(spec.servers?.[0]?.url ?? '/');
  const router = Router({ caseSensitive: true, strict: true });
  router.use(
    basePath,
    ...parsers(Object.values(operations), options.bodyLimit ?? '1mb'),
    OpenApiValidator.middleware({
      apiSpec: { ...spec, servers: [{ url: basePath }] } as never,
      validateApiSpec: false,
      validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
      validateResponses: false,
      validateSecurity: { handlers: options.security as never },
      fileUploader: false,
    }),
    createRouter({
      bind: (operation, handler) => [call(operation, handler, options.context)],
      methodNotAllowed,
    }),
    problem,
  );
  return router;
}

function pathOf(url: string): string {
  return new URL(url, 'http://localhost').pathname.replace(/(.)\/$/, '$1');
}

function parsers(operations: readonly Operation[], limit: string): RequestHandler[] {
  const types = [...new Set(operations.flatMap(({ requestTypes }) => requestTypes))];
  const of = (kind: string) => types.filter((type) => bodyKind(type) === kind);
  return [
    express.json({ type: of('json'), limit, strict: false }),
    express.urlencoded({ type: of('form'), limit, extended: false }),
    express.text({ type: of('text'), limit }),
    express.raw({ type: of('bytes'), limit }),
  ];
}

/** The validator passes on requests for which it finds no operation, so the operation is compared. */
function call(
  operation: Operation,
  handler: AnyHandler,
  context: (request: Request) => unknown,
): RequestHandler {
  const { operationId, queryParameters, headerParameters, requestTypes } = operation;
  return async (request: OpenApiRequest & Request, response) => {
    const found = request.openapi?.schema.operationId;
    if (found !== operationId) {
      throw new Error(`A request to ${operationId} was validated as ${found ?? 'no operation'}`);
    }
    const query = request.query as Record<string, unknown>;
    const validated = {
      path: request.openapi?.pathParams ?? {},
      query: pick(queryParameters, (name) => query[name]),
      headers: pick(headerParameters, (name) => request.headers[name.toLowerCase()]),
      body: requestTypes.length === 0 || request.body === undefined ? undefined : request.body,
      contentType: requestTypes.find((type) => request.is(type)),
    };
    const result = await handler(validated as never, context(request) as never);
    const [type, body] = bodyOf(operation, result);
    response.status(result.status).set(result.headers ?? {});
    if (type === undefined) response.end();
    else response.type(type).send(body);
  };
}

function pick(names: readonly string[], read: (name: string) => unknown) {
  const values = names.map((name) => [name, read(name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The media type of a response and its body as it is sent. @throws Error if the spec does not have it */
function bodyOf(
  { operationId, responseTypes }: Operation,
  { status, contentType, body }: HandlerResponse,
): [string, unknown] | [undefined] {
  const types =
    responseTypes[status] ??
    responseTypes[`${Math.floor(status / 100)}XX`] ??
    responseTypes['default'];
  const type = contentType ?? types?.[0];
  if (types === undefined || (type !== undefined && !types.includes(type))) {
    throw new Error(`${operationId} has no response ${status} ${contentType ?? ''}`);
  }
  if (type === undefined || body === undefined) return [undefined];
  const sent = type.includes('*') ? 'application/octet-stream' : type;
  const kind = bodyKind(sent);
  if (kind === 'json') return [sent, JSON.stringify(body)];
  if (kind === 'form')
    return [sent, new URLSearchParams(body as Record<string, string>).toString()];
  return [sent, kind === 'bytes' ? Buffer.from(body as Uint8Array) : body];
}

function methodNotAllowed(allowed: readonly string[]): RequestHandler[] {
  return [
    (_request, response) => {
      response.status(405).set('Allow', allowed.join(', ')).type('application/problem+json');
      response.send(JSON.stringify({ status: 405, title: 'Method Not Allowed' }));
    },
  ];
}

/** Refusals get the reasons of the validator. Everything else is for the application's error handler. */
const problem: ErrorRequestHandler = (error, _request, response, next) => {
  const { status, message, errors, headers } = error;
  if (!(status >= 400 && status < 500) || response.headersSent) {
    next(error);
    return;
  }
  response
    .status(status)
    .set(headers ?? {})
    .type('application/problem+json');
  response.send(JSON.stringify({ status, title: message, ...(errors && { errors }) }));
};
