import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type ErrorCode, errorCatalogue, type Operation, operations } from '@adx/contract';
import { follow, type SpecBody, type SpecOperation, spec } from '@adx/contract/spec';
import type { ScenarioBody } from './descriptions.js';

interface ArmedError extends Pick<ScenarioBody<'error'>, 'code' | 'retryAfter' | 'apiKey'> {
  readonly operationIds: readonly string[];
  left: number;
}

export type ArmedErrors = ReturnType<typeof createArmedErrors>;

const all: readonly Operation[] = Object.values(operations);

/** Paths without parameters first: `/coda-files/missing` is no file. */
const matchers = all
  .toSorted((a, b) => a.pathParameters.length - b.pathParameters.length)
  .map((operation) => ({
    operation,
    expression: new RegExp(`^/v1${operation.path.replace(/\{[^}]+\}/g, '[^/]+')}(\\?|$)`),
  }));

/** Creates the errors that are set for the next calls of a sandbox, the earliest first. */
export function createArmedErrors(rateLimitPerMinute: number) {
  let armed: ArmedError[] = [];
  return {
    /** Sets an error for calls of an operation, or of all that document it; 0 calls undo this. */
    arm({ code, operation, apiKey, calls, retryAfter }: ScenarioBody<'error'>) {
      const documenting = all.filter(({ errors }) => errors.includes(code));
      const operationIds = operation ? [operation] : documenting.map((each) => each.operationId);
      const error = { code, retryAfter, operationIds, apiKey, left: calls };
      if (calls > 0) armed.push(error);
      else {
        const isTakenBack = (each: ArmedError) =>
          each.code === code &&
          (apiKey === undefined || each.apiKey === apiKey) &&
          each.operationIds.every((id) => operationIds.includes(id));
        armed = armed.filter((each) => !isTakenBack(each));
      }
      return error;
    },
    /** Returns the answer to a call if it is one that gets an error, and counts the call. */
    take(method: string, target: string, apiKey?: string) {
      if (armed.length === 0) return undefined;
      const { operation } =
        matchers.find(
          (each) => each.operation.method === method.toLowerCase() && each.expression.test(target),
        ) ?? {};
      if (operation === undefined) return undefined;
      const error = armed.find(
        (each) =>
          each.operationIds.includes(operation.operationId) &&
          (each.apiKey === undefined || each.apiKey === apiKey),
      );
      if (error === undefined) return undefined;
      error.left -= 1;
      armed = armed.filter(({ left }) => left > 0);
      return answerOf(operation, error, rateLimitPerMinute);
    },
  };
}

/**
 * Returns the headers that not every answer of the service has, and the body without `requestId`.
 */
function answerOf(
  operation: Operation,
  { code, retryAfter }: ArmedError,
  rateLimitPerMinute: number,
) {
  const { status } = errorCatalogue[code];
  const headers: [string, string][] = [];
  if (!withoutRateLimit.has(code)) {
    const isReached = code === 'tooManyRequests';
    // The names of D-23: sign-ins count for the API key, other calls for the firm of the user.
    const name = operation.idToken ? 'default' : 'apiKey';
    const [left, seconds] = isReached ? [0, retryAfter] : [rateLimitPerMinute - 1, 60];
    headers.push(['RateLimit-Policy', `"${name}";q=${rateLimitPerMinute};w=60`]);
    headers.push(['RateLimit', `"${name}";r=${left};t=${seconds}`]);
  }
  if (withRetryAfter.has(code)) headers.push(['Retry-After', String(retryAfter)]);
  if (code === 'methodNotAllowed') headers.push(['Allow', methodsOf(operation.path)]);
  headers.push(['Content-Type', 'application/json; charset=utf-8']);
  if (status === 401) headers.push(['WWW-Authenticate', 'Bearer error="invalid_token"']);
  return { status, headers, body: exampleOf(operation, code) };
}

/** Codes of calls that end before they are counted. */
const withoutRateLimit: ReadonlySet<ErrorCode> = new Set(['invalidApiKey', 'unavailable']);
const withRetryAfter: ReadonlySet<ErrorCode> = new Set([
  'tooManyRequests',
  'unavailable',
  'idempotencyKeyInUse',
]);

function methodsOf(path: string): string {
  return all.flatMap((each) => (each.path === path ? [each.method.toUpperCase()] : [])).join(', ');
}

/** Returns the example of the spec for an error code of an operation, without its request id. */
function exampleOf({ path, method, operationId }: Operation, code: ErrorCode) {
  const described = Reflect.get(spec.paths[path] ?? {}, method) as SpecOperation;
  const response = described.responses[errorCatalogue[code].status];
  const content: SpecBody['content'] = response === undefined ? {} : follow(response).content;
  const examples = (content?.['application/json']?.['examples'] ?? {}) as Record<string, Example>;
  for (const each of Object.values(examples)) {
    const { requestId: _, ...body } = follow(each).value ?? {};
    if (body['error'] === code) return body;
  }
  throw new Error(`The spec has no example of ${code} for ${operationId}`);
}

interface Example {
  readonly $ref?: string;
  readonly value?: Readonly<Record<string, unknown>>;
}

export async function sendArmedError(
  answer: ReturnType<typeof answerOf>,
  request: IncomingMessage,
  response: ServerResponse,
  servicePort: number,
): Promise<void> {
  request.resume();
  const common = await commonHeaders(servicePort);
  for (const [name, value] of [...common, ...answer.headers]) response.setHeader(name, value);
  const requestId = common.find(([name]) => name === 'X-Request-Id')?.[1] ?? randomUUID();
  const { error, message, ...others } = answer.body;
  const text = JSON.stringify({ error, message, requestId, ...others });
  response.statusCode = answer.status;
  response.end(request.method === 'HEAD' ? '' : text);
}

/** The headers of an answer that depend on its connection and its body. */
const ofOneAnswer = /^(connection|keep-alive|date|content-type|content-length|transfer-encoding)$/i;

/** Returns the headers that all answers have, from the answer to a call without an API key. */
async function commonHeaders(servicePort: number): Promise<[name: string, value: string][]> {
  const request = get({ port: servicePort, host: '127.0.0.1', path: '/v1/', agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  const { rawHeaders } = response;
  return rawHeaders.flatMap((name, i) =>
    i % 2 === 0 && !ofOneAnswer.test(name) ? [[name, rawHeaders[i + 1] ?? '']] : [],
  );
}
