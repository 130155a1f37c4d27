import type { OperationId, SuccessBody } from '@adx/contract';
import createFetchClient from 'openapi-fetch';
import { ApiError } from '../errors.js';
import { apiErrorOf } from './api-error-of.js';
import type { ApiResponse, Fetch, FetchInit, Method, Path, Sent } from './call.js';
import { networkErrorOf } from './network-error-of.js';

/**
 * Makes one attempt of a call. Resolves with the response and its parsed body, rejects with an
 * error of this client.
 */
export type Transport = <Id extends OperationId>(
  operation: Id,
  method: Method,
  path: Path,
  sent: Sent,
  idToken: string | undefined,
  signal: AbortSignal,
) => Promise<ApiResponse<SuccessBody<Id>>>;

/** An interface without types, for openapi-fetch. The generated methods have the types. */
type AnyInterface = Record<string, Record<Method, AnyOperation>>;
interface AnyOperation {
  parameters: { query?: Readonly<Record<string, unknown>> | undefined };
  requestBody?: { content: { 'application/json': unknown } };
  responses: object;
}

/** Takes the place of `Request`, of which each implementation of `fetch` accepts only its own. */
class RequestParts {
  declare readonly url: string;
  declare readonly init: FetchInit & { headers: Headers };

  constructor(url: string, init: RequestParts['init']) {
    this.url = url;
    this.init = init;
  }
}

/**
 * Creates the transport. It is the only code that uses openapi-fetch.
 *
 * @param onExpiry is called once for each instant at which the secret of the API key ends (D-35)
 */
export function createTransport(
  baseUrl: string,
  apiKey: string,
  fetch: Fetch,
  onExpiry?: (until: Date) => unknown,
): Transport {
  let told: number | undefined;
  const http = createFetchClient<AnyInterface>({
    baseUrl,
    headers: { 'x-api-key': apiKey },
    // A redirect to another origin would receive the API key.
    redirect: 'manual',
  });

  return async (operation, method, path, { body, query, headers }, idToken, signal) => {
    let isSent = false;
    try {
      const { data, error, response } = await http.request(method, addressOf(path), {
        body,
        params: { query },
        headers: { ...headers, authorization: idToken && `Bearer ${idToken}` },
        parseAs: 'text',
        signal,
        Request: RequestParts,
        fetch(request: unknown) {
          const { url, init } = request as RequestParts;
          isSent = true;
          const parts = { ...init, headers: Object.fromEntries(init.headers) };
          return fetch(url, parts) as Promise<Response>;
        },
      });
      const until = Date.parse(response.headers.get('x-api-key-expires') ?? '');
      if (until && until !== told) {
        told = until;
        // The call has had its effect, and must not fail or be repeated because of the hook.
        (async () => onExpiry?.(new Date(until)))().catch(() => {});
      }
      const content = response.ok ? parse(data) : error;
      if (!response.ok || content === undefined)
        throw apiErrorOf(operation, response, content, baseUrl);
      // The response is not validated: the service is trusted to follow the spec.
      return { data: content as SuccessBody<typeof operation>, response };
    } catch (error) {
      if (!isSent || error instanceof ApiError) throw error;
      throw networkErrorOf(operation, baseUrl, `${operation} got no response`, error);
    }
  };
}

function addressOf(path: Path): string {
  const parts = path.flatMap((part) => (typeof part === 'string' ? part : encoded(part)));
  return parts.join('');
}

function encoded(parameters: Exclude<Path[number], string>): string[] {
  return Object.entries(parameters).map(([name, value]) => {
    // An empty segment, `.` or `..` would address another resource.
    if (/^\.{0,2}$/.test(`${value ?? ''}`)) {
      throw new TypeError(`${name} cannot be ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(value);
  });
}

/**
 * Returns undefined if the text is not JSON. The parser's error would quote it, with any tokens.
 */
function parse(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
