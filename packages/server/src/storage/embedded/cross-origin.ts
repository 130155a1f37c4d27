import type { IncomingMessage, ServerResponse } from 'node:http';

const exposed = 'ETag, Content-Disposition, Content-Length, Content-Range, Date, x-amz-request-id';

/**
 * Lets web pages put and get objects with what they were given. Safe for every origin: only signed
 * requests are answered, and no browser signs by itself.
 */
export function allowStorageOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', exposed);
  if (!isPreflight(request)) return;
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, PUT');
  response.setHeader('Access-Control-Max-Age', '86400');
  response.setHeader('Vary', 'Origin, Access-Control-Request-Headers');
  // No list could name them all (`x-amz-meta-…`), and `*` leaves `Authorization` out.
  const asked = request.headers['access-control-request-headers'] ?? '';
  if (/^[\w-]+( *, *[\w-]+)*$/.test(asked)) {
    response.setHeader('Access-Control-Allow-Headers', asked);
  }
}

/** Whether a browser asks what a page may send. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
