import type { Language } from '@adx/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { endBeforeBody, exceedsBodyLimit } from '../../../http/body-limit.js';
import { styleSource } from './style-sheet.js';
import { languages } from './texts/all-texts.js';

/** Sends a page; to HEAD all of it but the page. */
export function sendPage(
  request: Request,
  response: Response,
  { status, language, page }: { status: number; language: Language; page: VNode },
): void {
  const html = `<!DOCTYPE html>${render(page)}`;
  response.status(status).set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': language,
  });
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && exceedsBodyLimit(request)) endBeforeBody(request, response, html);
  else response.send(html);
}

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

/** The language that a link of the page asks for by `?lang=`; nothing when it is none of ours. */
export function chosenLanguage(request: Request): Language | undefined {
  const { lang } = request.query;
  return languages.find((language) => language === lang);
}

/** The language for a person of whom only the browser is known. */
export function browserLanguage(request: Request): Language {
  const accepted = request.acceptsLanguages('en', 'fr', 'nl', 'de');
  return languages.find((language) => language === accepted) ?? 'en';
}
