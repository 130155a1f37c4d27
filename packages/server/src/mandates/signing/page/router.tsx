import { type Request, type Response, Router } from 'express';
import type { Knex } from 'knex';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ipAddressOf } from '../../../api/ip-address.js';
import { secondsUntil } from '../../../api/rate-limit.js';
import type { ReadTrail } from '../../../audit/read-trail.js';
import { requestState } from '../../../http/request-state.js';
import {
  answerSignatureRequest,
  type SigningAnswer,
  type SigningState,
  type SigningView,
  signingEntry,
  viewSignatureRequest,
} from '../answer-signature-request.js';
import { pendingMandates, type RequestDetails } from '../request-details.js';
import { hashOfShown, showRequest } from '../shown-request.js';
import {
  type FormProblem,
  readSigningForm,
  type SigningForm,
  validateSigningForm,
} from '../signing-form.js';
import { OutcomePage } from './outcome-page.js';
import { PageRefusal, refuseByPage } from './page-refusal.js';
import { isFromOwnPage, readPostedForm } from './read-posted-form.js';
import { RequestPage } from './request-page.js';
import { chosenLanguage, sendPage, setPageHeaders } from './send-page.js';

/** The number of unknown URLs that one IP address may open per minute. */
const unknownLinkAttempts = 30;
/** The openings of one signing URL per minute: programs that scan mail open it a few times. */
const linkOpenings = 60;
const windowSeconds = 60;

const maximumUserAgent = 500;

/** Creates the page on which a contact signs or declines, at `/sign/<token>`. */
export function createSigningPage({
  knex,
  publicUrl,
  trail,
  check,
  now,
}: {
  readonly knex: Knex;
  readonly publicUrl: string;
  readonly trail: Pick<ReadTrail, 'add'>;
  /** Throws if calls of the firm are refused (D-72). */
  readonly check: (firmId: string) => void;
  readonly now: () => Date;
}): Router {
  const unknownLinks = new RateLimiterMemory({
    points: unknownLinkAttempts,
    duration: windowSeconds,
  });
  const knownLinks = new RateLimiterMemory({ points: linkOpenings, duration: windowSeconds });

  /**
   * Limits how often each signing URL is opened, by whichever address, and how many unknown ones an
   * IP address tries. Known ones do not count for the address, because several people may share it.
   * Each process counts separately.
   */
  async function view(request: Request): Promise<SigningView> {
    const token = tokenOf(request);
    const used = await knownLinks.get(token);
    if (used !== null && used.remainingPoints <= 0) throw tooManyAttempts(used.msBeforeNext);
    const found = await viewSignatureRequest(knex, token, now(), check);
    if (found !== undefined) {
      await count(knownLinks, token);
      return found;
    }
    await count(unknownLinks, deviceOf(request).address ?? '');
    throw new PageRefusal('notFound');
  }

  /** Changes nothing, because programs that scan mail fetch the page too. */
  async function show(request: Request, response: Response): Promise<void> {
    const { state, request: asked, evidence } = await view(request);
    if (request.method === 'GET') {
      logStep(response, asked, state, 'the page of a signature request was fetched');
      const { requestId } = requestState(response);
      trail.add({ ...signingEntry(asked, 'page fetched', now()), requestId });
    }
    const language = chosenLanguage(request) ?? asked.language;
    const page =
      state === 'pending' ? (
        <RequestPage shown={showRequest(asked, language)} expiresOn={asked.expiresOn} />
      ) : (
        <OutcomePage language={language} outcome={state} request={asked} evidence={evidence} />
      );
    sendPage(request, response, { status: 200, language, page });
  }

  /** Shows the form again. If the page has changed, ticks were given to something else (D-37). */
  function showAgain(
    request: Request,
    response: Response,
    asked: RequestDetails,
    { form, problems }: { readonly form: SigningForm; readonly problems: readonly FormProblem[] },
  ): void {
    const language = chosenLanguage(request) ?? asked.language;
    const shown = showRequest(asked, language);
    const hasChanged = hashOfShown(shown) !== form.shown;
    const page = (
      <RequestPage
        shown={shown}
        expiresOn={asked.expiresOn}
        form={hasChanged ? { ...form, hasConsent: false, excluded: [] } : form}
        problems={hasChanged ? ['pageChanged'] : problems}
      />
    );
    sendPage(request, response, { status: 422, language, page });
  }

  async function answer(request: Request, response: Response): Promise<void> {
    if (!isFromOwnPage(request, publicUrl)) throw new PageRefusal('foreignAnswer');
    const form = readSigningForm(await readPostedForm(request));
    const { state, request: asked } = await view(request);
    if (state === 'pending') {
      const { answer, problems } = validateSigningForm(form, pendingMandates(asked).length);
      if (answer === undefined) return showAgain(request, response, asked, { form, problems });
      const page = { language: chosenLanguage(request), shown: form.shown };
      const given = { ...answer, ...deviceOf(request), ...page };
      const answered = await answerSignatureRequest(knex, tokenOf(request), given, now());
      if (answered?.state === 'pending') {
        return showAgain(request, response, answered.request, { form, problems: [] });
      }
      logStep(response, asked, answered?.state, 'a signature request was answered');
    }
    // After a late or concurrent answer, the page shows the recorded one.
    response.status(303).location(addressOf(request)).end();
  }

  const router = Router();
  router.use(setPageHeaders);
  router.use((request, response) => {
    requestState(response).operation = { operationId: 'signingPage' };
    if (request.method === 'GET' || request.method === 'HEAD') return show(request, response);
    if (request.method === 'POST') return answer(request, response);
    throw new PageRefusal('methodNotAllowed', { headers: { Allow: 'GET, HEAD, POST' } });
  });
  router.use(refuseByPage);
  return router;
}

/** @throws PageRefusal `tooManyAttempts` beyond the limit */
async function count(limiter: RateLimiterMemory, key: string): Promise<void> {
  const { consumedPoints, msBeforeNext } = await limiter.penalty(key);
  if (consumedPoints > limiter.points) throw tooManyAttempts(msBeforeNext);
}

function tooManyAttempts(msBeforeNext: number): PageRefusal {
  const seconds = String(secondsUntil(msBeforeNext, windowSeconds));
  return new PageRefusal('tooManyAttempts', { headers: { 'Retry-After': seconds } });
}

/** Logs a step, so that a complaint of a contact can be followed. */
function logStep(
  response: Response,
  { requestId: signatureRequest, firmId }: RequestDetails,
  state: SigningState | undefined,
  message: string,
): void {
  requestState(response).log.info({ signatureRequest, firmId, state }, message);
}

/** Returns the token of the path, which may be any text. */
function tokenOf({ path }: Request): string {
  return path.slice(1);
}

/** Returns the URL in the same language, relative because a proxy may add a path. */
function addressOf(request: Request): string {
  const language = chosenLanguage(request);
  return language === undefined ? tokenOf(request) : `${tokenOf(request)}?lang=${language}`;
}

/** Returns the IP address behind the proxies that `TRUST_PROXY` names, and the user agent. */
function deviceOf(request: Request): Pick<SigningAnswer, 'address' | 'userAgent'> {
  // Control characters are removed, because operators read the user agent in a terminal.
  const userAgent = request.get('user-agent')?.replaceAll(/\p{Cc}/gu, '');
  return {
    address: ipAddressOf(request) ?? null,
    userAgent: userAgent?.slice(0, maximumUserAgent) || null,
  };
}
