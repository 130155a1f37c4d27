import type { Language } from '@adx/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { endBeforeBody, exceedsBodyLimit } from '../../../http/body-limit.js';
import { languages } from '../texts/all-texts.js';
import { styleSource } from './style-sheet.js';

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
  // The logo is a data URL.
  'img-src data:',
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  // The URL contains the token. With `no-referrer`, browsers would post the form with `Origin:
  // null`.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cache-Control': 'no-store',
};

/** Forbids scripts, external resources, frames, caching and search engines on every page. */
export const setPageHeaders: RequestHandler = (_request, response, next) => {
  response.set(headers);
  next();
};

/** Returns the language of `?lang=`, or undefined if it is not supported. */
export function chosenLanguage(request: Request): Language | undefined {
  const { lang } = request.query;
  return languages.find((language) => language === lang);
}

export function browserLanguage(request: Request): Language {
  const accepted = request.acceptsLanguages('en', 'fr', 'nl', 'de');
  return languages.find((language) => language === accepted) ?? 'en';
}
