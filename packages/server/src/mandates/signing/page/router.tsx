import { type Request, type Response, Router } from 'express';
import type { Knex } from 'knex';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { secondsUntil } from '../../../api/rate-limit.js';
import { requestState } from '../../../http/request-state.js';
import {
  answerSignatureRequest,
  type SigningView,
  viewSignatureRequest,
} from '../answer-signature-request.js';
import { OutcomePage } from './outcome-page.js';
import { PageRefusal, refuseByPage } from './page-refusal.js';
import { isFromOwnPage, readPostedForm } from './read-posted-form.js';
import { RequestPage } from './request-page.js';
import { chosenLanguage, sendPage, setPageHeaders } from './send-page.js';
import { signerDevice } from './signer-device.js';
import { emptyForm, readSigningForm, validateSigningForm } from './signing-form.js';

/** How many unknown links one IP address may open per minute. */
const unknownLinkAttempts = 30;
const windowSeconds = 60;

/** Creates the page on which a contact signs or declines, at `/sign/<token>`. */
export function createSigningPage({
  knex,
  publicUrl,
  now,
}: {
  readonly knex: Knex;
  readonly publicUrl: string;
  readonly now: () => Date;
}): Router {
  const unknownLinks = new RateLimiterMemory({
    points: unknownLinkAttempts,
    duration: windowSeconds,
  });

  /** Reads the signature request of the link. */
  async function view(request: Request): Promise<SigningView> {
    const found = await viewSignatureRequest(knex, tokenOf(request), now());
    if (found !== undefined) return found;
    await limitUnknownLinks(signerDevice(request).address ?? '');
    throw new PageRefusal('notFound');
  }

  /**
   * Tells clients that try many links to slow down; the tokens have 256 bits, so guessing is hopeless
   * anyway. Known links are never limited, because several people may share an IP address. Each
   * process counts separately.
   */
  async function limitUnknownLinks(address: string): Promise<void> {
    const { consumedPoints, msBeforeNext } = await unknownLinks.penalty(address);
    if (consumedPoints <= unknownLinkAttempts) return;
    const seconds = String(secondsUntil(msBeforeNext, windowSeconds));
    throw new PageRefusal('tooManyAttempts', { headers: { 'Retry-After': seconds } });
  }

  /** Changes nothing, because programs that scan mail open the links too. */
  async function show(request: Request, response: Response): Promise<void> {
    const { state, request: asked } = await view(request);
    const language = chosenLanguage(request) ?? asked.language;
    const page =
      state === 'pending' ? (
        <RequestPage language={language} request={asked} form={emptyForm} problems={[]} />
      ) : (
        <OutcomePage language={language} outcome={state} request={asked} />
      );
    sendPage(request, response, { status: 200, language, page });
  }

  async function answer(request: Request, response: Response): Promise<void> {
    if (!isFromOwnPage(request, publicUrl)) throw new PageRefusal('foreignAnswer');
    const form = readSigningForm(await readPostedForm(request));
    const { state, request: asked } = await view(request);
    if (state === 'pending') {
      const { answer, problems } = validateSigningForm(form);
      if (answer === undefined) {
        const language = chosenLanguage(request) ?? asked.language;
        const page = (
          <RequestPage language={language} request={asked} form={form} problems={problems} />
        );
        return sendPage(request, response, { status: 422, language, page });
      }
      const device = signerDevice(request);
      await answerSignatureRequest(knex, tokenOf(request), { ...answer, ...device }, now());
    }
    // After a late or concurrent answer, the page shows the recorded one.
    response.status(303).location(addressOf(request)).end();
  }

  const router = Router();
  router.use(setPageHeaders);
  router.use((request, response) => {
    requestState(response).operation = { operationId: 'signingPage', errors: [], alternatives: 1 };
    if (request.method === 'GET' || request.method === 'HEAD') return show(request, response);
    if (request.method === 'POST') return answer(request, response);
    throw new PageRefusal('methodNotAllowed', { headers: { Allow: 'GET, HEAD, POST' } });
  });
  router.use(refuseByPage);
  return router;
}

/** Returns the token of the path, which may be any text. */
function tokenOf({ path }: Request): string {
  return path.slice(1);
}

/** Returns the URL of the page in the same language, relative because a proxy may add a path. */
function addressOf(request: Request): string {
  const language = chosenLanguage(request);
  return language === undefined ? tokenOf(request) : `${tokenOf(request)}?lang=${language}`;
}
