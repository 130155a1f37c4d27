import type { RequestHandler } from 'express';

const exposedHeaders = 'X-Request-Id, Retry-After, RateLimit';
const allowedHeaders = 'authorization, content-type, x-api-key';
const allowedMethods = 'GET, POST, PATCH, DELETE';

/**
 * Lets web pages of other origins call the interface. This is safe for any origin: credentials are
 * headers that the page sets itself, and no cookie is ever read.
 *
 * @param origin - an origin, or `*` for all
 */
export function allowOrigin(origin: string): RequestHandler {
  return (request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    if (origin !== '*') response.setHeader('Vary', 'Origin');
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) {
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Headers', allowedHeaders);
    response.setHeader('Access-Control-Allow-Methods', allowedMethods);
    response.setHeader('Access-Control-Max-Age', '86400');
    response.statusCode = 204;
    response.end();
  };
}
