import { type ErrorRequestHandler, type Request, type RequestHandler, Router } from 'express';
import { bodyKind, contentFor, isRange } from '../src/openapi/media-type.js';
import { type Operation, Refusal, requestReaders } from './read-request.js';

interface ServedOperation extends Operation {
  readonly operationId: string;
  readonly responseTypes: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns `false` for a request that does not meet the requirement, or throws a {@link Refusal}.
 *
 * @param scopes the scopes that the operation requires, or the roles of other schemes than OAuth
 * @param credential the token, the key, or `username:password`; undefined if there is none
 */
export type SecurityHandler = (
  request: Request,
  scopes: readonly string[],
  credential: string | undefined,
) => boolean | Promise<boolean>;

interface SecurityScheme {
  readonly in: string;
  readonly name?: string;
}

export interface ApiOptions<Handlers, Context, Scheme extends string> {
  readonly handlers: Handlers;
  readonly security: { readonly [Name in Scheme]: SecurityHandler };
  /** Makes the second argument of the handlers. */
  readonly context: (request: Request) => Context | Promise<Context>;
  /** The path of the interface. By default that of the first server in the spec. */
  readonly basePath?: string;
  /** The largest body, such as `1mb`, which is the default. */
  readonly bodyLimit?: string;
}

interface HandlerResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly contentType?: string;
  readonly body?: unknown;
}

/** A handler as the binding calls it; the generated types have the request and response of each. */
type AnyHandler = (request: never, context: never) => HandlerResponse | Promise<HandlerResponse>;

/**
 * Makes the request handlers of an operation, and that of all methods that a path does not have.
 */
interface Binding {
  readonly bind: (operation: ServedOperation, handler: AnyHandler) => RequestHandler[];
  readonly methodNotAllowed: (allowed: readonly string[]) => RequestHandler;
}

/**
 * Creates the interface as a part of an Express application, which answers every request below its
 * base path. Requests that the spec does not allow get `application/problem+json` (RFC 9457) and
 * reach no handler.
 */
export function createInterface<Context>(
  spec: object,
  schemes: Readonly<Record<string, SecurityScheme>>,
  baseUrl: string,
  createRouter: (binding: Binding) => Router,
  options: Omit<ApiOptions<unknown, Context, string>, 'handlers'>,
): Router {
  const { basePath = pathOf(baseUrl), bodyLimit = '1mb', security, context } = options;
  const readerOf = requestReaders(spec, bodyLimit);
  const router = Router({ caseSensitive: true, strict: true }).use((request, _response, next) => {
    request.url = normalized(request.url);
    next();
  });
  return router.use(
    // The path as it is, of which Express would read some characters as a pattern.
    basePath.replaceAll(/[\\()[\]{}?+!*:]/g, '\\$&'),
    createRouter({
      bind(operation, handler) {
        const { parsers, read } = readerOf(operation);
        return [
          async (request, response, next) => {
            response.set('WWW-Authenticate', challengesOf(operation, schemes));
            await authorize(operation, security, schemes, request);
            response.removeHeader('WWW-Authenticate');
            next();
          },
          ...parsers,
          async (request, response) => {
            const accept = acceptedBy(operation, request);
            const valid = { ...read(request), accept };
            const result = await handler(valid as never, (await context(request)) as never);
            const [type, body] = bodyOf(operation, result);
            response.status(result.status).set(given(result.headers ?? {}));
            if (type === undefined) response.end();
            else response.type(type).send(body);
          },
        ];
      },
      methodNotAllowed,
    }),
    () => {
      throw new Refusal(404, 'There is no such path.');
    },
    problem,
  );
}

/** Writes each character of a URL in the one way that the routes have (RFC 3986 §6.2.2). */
function normalized(url: string): string {
  return url.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
}

function pathOf(url: string): string {
  return new URL(url, 'http://localhost').pathname.replace(/(.)\/$/, '$1');
}

/** @throws Refusal if the request meets none of the requirements */
async function authorize(
  { security }: ServedOperation,
  handlers: Readonly<Record<string, SecurityHandler>>,
  schemes: Readonly<Record<string, SecurityScheme>>,
  request: Request,
): Promise<void> {
  const refusals: unknown[] = [];
  // An empty requirement is met by every request, also by one with credentials.
  const emptyLast = security.toSorted((a, b) => Number(isEmpty(a)) - Number(isEmpty(b)));
  for (const requirement of emptyLast) {
    try {
      const met = await Promise.all(
        Object.entries(requirement).map(
          // One that throws must not leave the promise of another without a handler.
          async ([name, scopes]) =>
            handlers[name]?.(request, scopes, credentialOf(request, schemes[name])) ?? false,
        ),
      );
      if (met.every(Boolean)) return;
    } catch (error) {
      refusals.push(error);
    }
  }
  if (security.length > 0) {
    throw refusals[0] ?? new Refusal(401, 'The request has no valid credentials.');
  }
}

function isEmpty(requirement: object): boolean {
  return Object.keys(requirement).length === 0;
}

function credentialOf(
  request: Request,
  { in: place, name = '' }: SecurityScheme = { in: '' },
): string | undefined {
  if (place === 'header') return request.get(name);
  if (place === 'query') {
    const [, search = ''] = /\?(.*)/s.exec(request.originalUrl) ?? [];
    return new URLSearchParams(search).get(name) ?? undefined;
  }
  if (place === 'cookie') {
    const cookies = (request.get('cookie') ?? '').split(/; */);
    return cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
  }
  const [, scheme = '', text] = /^(\S+) +(.+)$/.exec(request.get('authorization') ?? '') ?? [];
  if (text === undefined || scheme.toLowerCase() !== place) return undefined;
  return place === 'basic' ? Buffer.from(text, 'base64').toString() : text;
}

/** Returns the challenges of a 401 response (RFC 9110 §11.6.1). API keys have none. */
function challengesOf(
  { security }: ServedOperation,
  schemes: Readonly<Record<string, SecurityScheme>>,
): string[] {
  const places = security.flatMap(Object.keys).map((name) => schemes[name]?.in);
  return [
    ...(places.includes('bearer') ? ['Bearer'] : []),
    ...(places.includes('basic') ? ['Basic realm="api"'] : []),
  ];
}

/** Returns the media type of a success that the caller prefers. */
function acceptedBy({ responseTypes }: ServedOperation, request: Request): string | undefined {
  const successes = Object.entries(responseTypes).filter(([status]) => status.startsWith('2'));
  const types = [...new Set(successes.flatMap(([, each]) => each))];
  return types.length === 0 ? undefined : request.accepts(types) || types[0];
}

function given(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(', ')]));
}

/** Returns media type and body of a response; throws an Error if the spec does not have it. */
function bodyOf(
  { operationId, responseTypes }: ServedOperation,
  { status, contentType, body }: HandlerResponse,
): [string, unknown] | [undefined] {
  const types = contentFor(responseTypes, status);
  const type = contentType ?? types?.[0];
  const isKnown = type === undefined || types?.includes(type) || types?.some(isRange);
  if (types === undefined || !isKnown) {
    throw new Error(`${operationId} has no response ${status} ${contentType ?? ''}`);
  }
  if (type === undefined || body === undefined) return [undefined];
  const sent = isRange(type) ? 'application/octet-stream' : type;
  const kind = types.includes(type) ? bodyKind(sent) : 'bytes';
  if (kind === 'json') return [sent, JSON.stringify(body)];
  if (kind === 'form') return [sent, String(new URLSearchParams(body as Record<string, string>))];
  return [sent, kind === 'bytes' ? Buffer.from(body as Uint8Array) : body];
}

function methodNotAllowed(allowed: readonly string[]): RequestHandler {
  return (_request, response) => {
    response.set('Allow', allowed.join(', '));
    throw new Refusal(405, 'The path does not have this method.');
  };
}

/** Answers refusals. Other errors are for the error handler of the application. */
const problem: ErrorRequestHandler = (error, _request, response, next) => {
  const { status, message, errors, expose } = error;
  const isRefusal =
    error instanceof Refusal || error instanceof URIError || (expose === true && status < 500);
  if (!isRefusal || response.headersSent) {
    next(error);
    return;
  }
  if (status !== 401) response.removeHeader('WWW-Authenticate');
  response.status(status).type('application/problem+json');
  response.send(JSON.stringify({ status, title: message, ...(errors?.length > 0 && { errors }) }));
};
