import type { OperationId } from '@adx/contract';
import createFetchClient from 'openapi-fetch';
import { ApiError, NetworkError } from '../errors.js';
import { apiErrorOf } from './api-error-of.js';
import type { CallInit, Method } from './call.js';

/** A `fetch` to use instead of the global one. */
export type Fetch = (request: Request) => Promise<Response>;

export interface CallRequest {
  operation: OperationId;
  method: Method;
  path: string;
  init: CallInit;
}

/** Makes one attempt of a call: resolves with the parsed body, rejects with one of our errors. */
export type Transport = (
  request: CallRequest,
  idToken: string | undefined,
  signal: AbortSignal,
) => Promise<unknown>;

/** What openapi-fetch wants to know of an interface. Ours is known to the generated methods. */
type AnyInterface = Record<string, Record<Method, AnyOperation>>;
interface AnyOperation {
  parameters: { path?: Record<string, string> | undefined };
  requestBody?: { content: { 'application/json': unknown } };
  responses: object;
}

/** The only place that knows openapi-fetch. */
export function createTransport(baseUrl: string, apiKey: string, fetch: Fetch): Transport {
  const http = createFetchClient<AnyInterface>({
    baseUrl,
    headers: { 'x-api-key': apiKey },
    // Followed to another origin, a redirect would take the API key along.
    redirect: 'manual',
  });

  return async ({ operation, method, path, init }, idToken, signal) => {
    for (const [name, value] of Object.entries(init.path ?? {})) {
      // An empty or a dot segment would address another resource.
      if (/^\.{0,2}$/.test(value ?? '')) throw new TypeError(`${name} must not be "${value}"`);
    }
    let sent = false;
    try {
      const { data, error, response } = await http.request(method, path, {
        params: { path: init.path },
        body: init.body,
        headers: { authorization: idToken && `Bearer ${idToken}` },
        parseAs: 'text',
        signal,
        fetch(request: Request) {
          sent = true;
          return fetch(request);
        },
      });
      const answer = response.ok ? parse(data) : error;
      if (!response.ok || answer === undefined) throw apiErrorOf(operation, response, answer);
      return answer;
    } catch (error) {
      if (!sent || error instanceof ApiError) throw error;
      throw new NetworkError(operation, `${operation} got no answer`, { cause: error });
    }
  };
}

/** Undefined where the text is no JSON. The parser's own error would quote it, tokens included. */
function parse(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
