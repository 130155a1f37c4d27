import type { Notice } from './texts/signing-page-texts.js';

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
