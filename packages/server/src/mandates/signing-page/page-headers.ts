import type { RequestHandler } from 'express';
import { styleSource } from './style-sheet.js';

const policy = [
  "default-src 'none'",
  `style-src ${styleSource}`,
  // The mark, which stands in the page itself.
  'img-src data:',
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  // The address holds the token. Not `no-referrer`: browsers would post the form with `Origin: null`.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cache-Control': 'no-store',
};

/** One year, in seconds. */
const hstsMaxAge = 31_536_000;

/**
 * The headers of every signing page: no script, nothing from elsewhere, in nobody's frame, in no
 * cache and no search engine.
 *
 * @param publicUrl where people reach the page; only by `https:` it asks for `https:` from then on
 */
export function createPageHeaders(publicUrl: string): RequestHandler {
  const isSecure = new URL(publicUrl).protocol === 'https:';
  return (_request, response, next) => {
    response.set(headers);
    if (isSecure) response.set('Strict-Transport-Security', `max-age=${hstsMaxAge}`);
    next();
  };
}
