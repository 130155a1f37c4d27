import { type Request, type Response, Router } from 'express';
import type { Knex } from 'knex';
import { requestState } from '../../../http/request-state.js';
import {
  answerSignatureRequest,
  type SigningView,
  viewSignatureRequest,
} from '../answer-signature-request.js';
import { OutcomePage } from './outcome-page.js';
import { PageRefusal } from './page-refusal.js';
import { isFromOwnPage, readPostedForm } from './read-posted-form.js';
import { refuseByPage } from './refuse-by-page.js';
import { RequestPage } from './request-page.js';
import { chosenLanguage, createPageHeaders, sendPage } from './send-page.js';
import { signerDevice } from './signer-device.js';
import { emptyForm, judgeSigningForm, readSigningForm } from './signing-form.js';
import { createUnknownLinkLimit } from './unknown-link-limit.js';

/** Where the page stands; {@link createSigningLinks} makes the addresses below it. */
export const signingPath = '/sign';

/** What the page works with. */
interface SigningPageDependencies {
  readonly knex: Knex;
  readonly publicUrl: string;
  readonly now: () => Date;
}

/** The page on which a contact signs or declines, at `/sign/<token>`. */
export function createSigningPage({ knex, publicUrl, now }: SigningPageDependencies): Router {
  const limit = createUnknownLinkLimit();

  /** The request that the link is for. */
  async function view(request: Request): Promise<SigningView> {
    const found = await viewSignatureRequest(knex, tokenOf(request), now());
    if (found !== undefined) return found;
    // Without a socket any more there is nobody to limit.
    await limit.count(signerDevice(request).address ?? '');
    throw new PageRefusal('notFound');
  }

  /** Changes nothing: programs that examine mail open its links too. */
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
      const judged = judgeSigningForm(form);
      if (judged.answer === undefined) {
        const { problems } = judged;
        const language = chosenLanguage(request) ?? asked.language;
        const page = <RequestPage {...{ language, request: asked, form, problems }} />;
        return sendPage(request, response, { status: 422, language, page });
      }
      const device = signerDevice(request);
      await answerSignatureRequest(knex, tokenOf(request), { ...judged.answer, ...device }, now());
    }
    // Also whoever answered too late, or at the same time as another, sees what counts.
    response.status(303).location(addressOf(request)).end();
  }

  const router = Router();
  router.use(createPageHeaders(publicUrl));
  router.use((request, response) => {
    requestState(response).operation = { operationId: 'signingPage', errors: [], alternatives: 1 };
    if (request.method === 'GET' || request.method === 'HEAD') return show(request, response);
    if (request.method === 'POST') return answer(request, response);
    throw new PageRefusal('methodNotAllowed', { headers: { Allow: 'GET, HEAD, POST' } });
  });
  router.use(refuseByPage);
  return router;
}

/** As it stands in the address: whatever it is, only the link of a delivery leads anywhere. */
function tokenOf({ path }: Request): string {
  return path.slice(1);
}

/** The page itself in the same language; relative, wherever a proxy has put the service. */
function addressOf(request: Request): string {
  const language = chosenLanguage(request);
  return language === undefined ? tokenOf(request) : `${tokenOf(request)}?lang=${language}`;
}
