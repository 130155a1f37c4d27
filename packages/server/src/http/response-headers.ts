import type { RequestListener } from 'node:http';
import { type Operation, operations } from '@adx/contract';
import type { RequestHandler } from 'express';
import { basePath } from './validation/operation-validator.js';

/**
 * Returns the headers of a deprecated operation (D-40): `Deprecation` (RFC 9745), `Sunset` and the
 * link `sunset` (RFC 8594), and the link `successor-version` (RFC 5829) to the operation that
 * replaces it, if its path has no parameters.
 */
export function headersOfDeprecation(
  { operationId, deprecation }: Operation,
  publicUrl: string,
): Record<string, string> {
  if (deprecation === undefined) return {};
  const { since, sunset, replacedBy } = deprecation;
  const documentation = `<${publicUrl}/docs/reference/#operation/${operationId}>`;
  const successor = Object.entries<Operation>(operations).find(
    ([name]) => name === replacedBy,
  )?.[1];
  const links = [
    `${documentation}; rel="deprecation"; type="text/html"`,
    ...(sunset === undefined ? [] : [`${documentation}; rel="sunset"; type="text/html"`]),
    ...(successor === undefined || successor.path.includes('{')
      ? []
      : [`<${publicUrl}${basePath}${successor.path}>; rel="successor-version"`]),
  ];
  return {
    Deprecation: `@${new Date(since).getTime() / 1000}`,
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
    Link: links.join(', '),
  };
}

const exposedHeaders =
  'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, X-Api-Key-Expires, Deprecation, Sunset, Link';
const allowedHeaders = [
  ...['authorization', 'content-type', 'x-api-key'],
  ...new Set(Object.values(operations).flatMap(({ headerParameters }) => headerParameters)),
].join(', ');
const allowedMethods = 'GET, POST, PATCH, DELETE';

/**
 * Allows web pages of other origins to call the interface (CORS). This is safe for any origin,
 * because no cookie is ever read.
 *
 * @param origin - an origin, or `*` for all
 */
export function allowOrigin(origin: string): RequestHandler {
  return (request, response, next) => {
    // Responses contain personal data and tokens.
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
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

/** Sends HSTS for a year, without `includeSubDomains`: the operator decides about other hosts. */
export function withHsts(listener: RequestListener): RequestListener {
  return (request, response) => {
    response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    listener(request, response);
  };
}
