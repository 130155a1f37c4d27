import type { Language } from '@adx/contract';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { endBeforeBody, exceedsBodyLimit } from '../../http/body-limit.js';

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
