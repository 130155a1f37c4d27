import type { OperationId, SuccessBody } from '@adx/contract';
import createFetchClient from 'openapi-fetch';
import { ApiError, NetworkError } from '../errors.js';
import { apiErrorOf } from './api-error-of.js';
import type { Method, Path } from './call.js';
import type { Fetch } from './fetch.js';

/** Makes one attempt of a call: resolves with the parsed body, rejects with one of our errors. */
export type Transport = <Id extends OperationId>(
  operation: Id,
  method: Method,
  path: Path,
  body: unknown,
  idToken: string | undefined,
  signal: AbortSignal,
) => Promise<SuccessBody<Id>>;

/** What openapi-fetch wants to know of an interface. Ours is known to the generated methods. */
type AnyInterface = Record<string, Record<Method, AnyOperation>>;
interface AnyOperation {
  parameters: object;
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

  return async (operation, method, path, body, idToken, signal) => {
    let sent = false;
    try {
      const { data, error, response } = await http.request(method, addressOf(path), {
        body,
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
      // Here alone an answer gets its type: the service is trusted to answer what its interface says.
      return answer as SuccessBody<typeof operation>;
    } catch (error) {
      if (!sent || error instanceof ApiError) throw error;
      throw new NetworkError(operation, `${operation} got no answer`, { cause: error });
    }
  };
}

function addressOf(path: Path): string {
  const encoded = path.map((part, index) => (index % 2 ? encodeURIComponent(part ?? '') : part));
  const address = encoded.join('');
  // An empty or a dot segment would address another resource.
  if (/\/\.{0,2}(\/|$)/.test(address)) throw new TypeError(`${address} lacks a parameter`);
  return address;
}

/** Undefined where the text is no JSON. The parser's own error would quote it, tokens included. */
function parse(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
