import type { ErrorRequestHandler } from 'express';
import { isUnavailable } from '../../../db/unavailable.js';
import { requestState } from '../../../http/request-state.js';
import type { Notice } from '../texts/en.js';
import { NoticePage } from './outcome-page.js';
import { browserLanguage, chosenLanguage, sendPage } from './send-page.js';

const refusals = {
  notFound: { status: 404, notice: 'notFound' },
  foreignAnswer: { status: 403, notice: 'foreignAnswer' },
  methodNotAllowed: { status: 405, notice: 'unreadableAnswer' },
  tooLarge: { status: 413, notice: 'unreadableAnswer' },
  notAForm: { status: 415, notice: 'unreadableAnswer' },
  tooManyAttempts: { status: 429, notice: 'tooManyAttempts' },
  failed: { status: 500, notice: 'unavailable' },
  unavailable: { status: 503, notice: 'unavailable' },
} as const satisfies Record<string, { status: number; notice: Notice }>;

interface RefusalOptions extends ErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error whose response is a page for people. */
export class PageRefusal extends Error {
  readonly status: number;
  readonly notice: Notice;
  readonly headers: Readonly<Record<string, string>>;

  constructor(reason: keyof typeof refusals, { headers = {}, ...options }: RefusalOptions = {}) {
    super(`The signing page refuses a request: ${reason}`, options);
    this.name = 'PageRefusal';
    this.status = refusals[reason].status;
    this.notice = refusals[reason].notice;
    this.headers = headers;
  }
}

/** Turns any error into a page. The page of a bug says the same as that of an outage. */
export const refuseByPage: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const { status, notice, headers, cause } = toRefusal(error);
  if (status >= 500) requestState(response).log.error({ err: cause });
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const language = chosenLanguage(request) ?? browserLanguage(request);
  response.set(headers);
  sendPage(request, response, {
    status,
    language,
    page: <NoticePage language={language} notice={notice} />,
  });
};

function toRefusal(cause: unknown): PageRefusal {
  if (cause instanceof PageRefusal) return cause;
  if (!isUnavailable(cause)) return new PageRefusal('failed', { cause });
  return new PageRefusal('unavailable', { headers: { 'Retry-After': '5' }, cause });
}
