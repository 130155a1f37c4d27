import { inStep } from '../../tracing/spans.js';
import { describeFailure } from './identity-provider.js';

/** How long a request to an identity provider may take, in seconds. */
export const PROVIDER_TIMEOUT_SECONDS = 5;

const MAX_RESPONSE_BYTES = 1024 * 1024;

type BoundedRequest = Omit<RequestInit, 'body'> & { body?: unknown };

/**
 * Fetches a URL, reads at most 1 MiB of the response, and follows no redirects.
 *
 * @returns the response, with the URL without its query
 * @throws Error with method and URL if the provider does not respond, the response is too large, or
 *   metadata or keys have another status than 200, which the libraries would not name
 */
export async function boundedFetch(url: string, options: BoundedRequest): Promise<Response> {
  const request = `${options.method} ${withoutQuery(url)}`;
  const attributes = { 'http.request.method': options.method };
  const response = await inStep('ask identity provider', attributes, () =>
    fetchBounded(url, options),
  ).catch((error: unknown) => {
    throw new Error(`${request}: ${describeFailure(error)}`);
  });
  if (response.status !== 200 && options.method === 'GET') {
    throw new Error(`${request}: it answered ${response.status}`);
  }
  return Object.defineProperty(response, 'url', { value: withoutQuery(url) });
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

async function fetchBounded(url: string, { body, ...options }: BoundedRequest): Promise<Response> {
  const response = await fetch(url, {
    ...options,
    // Forms of openid-client, and JSON for Cognito.
    body: body instanceof URLSearchParams || typeof body === 'string' ? body : null,
    redirect: 'manual',
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // The error ends the loop, which cancels the rest of the response.
    if (size > MAX_RESPONSE_BYTES) throw new Error('the response is larger than 1 MiB');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers });
}
