import type { ErrorRequestHandler } from 'express';
import { requestState } from '../../../api/request-context.js';
import { isUnavailable } from '../../../db/unavailable.js';
import { NoticePage } from './outcome-page.js';
import { browserLanguage, chosenLanguage, sendPage } from './send-page.js';
import { fields } from './signing-form.js';
import type { Notice, SigningPageTexts } from './texts/signing-page-texts.js';

/** Why there is no request to show, or no answer to record. */
type RefusalReason = keyof typeof refusals;

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
  /** Headers the page carries, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ends a request with a page that says why, to a person. */
export class PageRefusal extends Error {
  readonly status: number;
  readonly notice: Notice;
  readonly headers: Readonly<Record<string, string>>;

  constructor(reason: RefusalReason, { headers = {}, ...options }: RefusalOptions = {}) {
    super(`The signing page refuses: ${reason}`, options);
    this.name = 'PageRefusal';
    this.status = refusals[reason].status;
    this.notice = refusals[reason].notice;
    this.headers = headers;
  }
}

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

interface RefusalFormProps {
  readonly texts: SigningPageTexts;
  readonly firmName: string;
}

/**
 * Declining, in two steps so that nobody declines by a slip: what opens the first says what the
 * second does. A form of its own, so that Enter in a field of the other one never declines.
 */
export function RefusalForm({ texts: { refusal }, firmName }: RefusalFormProps) {
  return (
    <details class="refusal">
      <summary>{refusal.title}</summary>
      <form method="post">
        <p>{refusal.meaning(firmName)}</p>
        <button class="decline" type="submit" name={fields.answer} value="declined">
          {refusal.decline}
        </button>
      </form>
    </details>
  );
}
