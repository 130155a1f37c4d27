import type { ErrorRequestHandler } from 'express';
import { isUnavailable } from '../../../db/unavailable.js';
import { requestState } from '../../../http/request-state.js';
import { NoticePage } from './outcome-page.js';
import { PageRefusal } from './page-refusal.js';
import { browserLanguage, chosenLanguage, sendPage } from './send-page.js';

/** Turns whatever a step threw into a page for a person; what is a bug says no more than an outage. */
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
    ...{ status, language },
    page: <NoticePage language={language} notice={notice} />,
  });
};

function toRefusal(cause: unknown): PageRefusal {
  if (cause instanceof PageRefusal) return cause;
  if (!isUnavailable(cause)) return new PageRefusal('failed', { cause });
  return new PageRefusal('unavailable', { headers: { 'Retry-After': '5' }, cause });
}
