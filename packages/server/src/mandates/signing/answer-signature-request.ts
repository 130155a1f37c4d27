import type { Knex } from 'knex';
import { inTransaction } from '../../db/transaction.js';
import { endOfSigningPeriod } from '../mandate-jobs.js';
import { applyStep } from '../mandate-steps.js';
import { lockOpenMandates, type OpenMandate } from '../open-mandates.js';
import { type AskedSignature, isPending, readAskedSignature } from './request-details.js';
import { lockSignatureRequest, recordSending } from './signature-requests.js';
import { type Delivery, findDelivery } from './signing-links.js';

/** Where a signature request stands for the person who holds a link to it. */
export type SigningState =
  | 'pending'
  | 'signed'
  | 'declined'
  /** The time to sign has passed. */
  | 'expired'
  /** Nothing is left to sign, it was sent to another address, or it could not be delivered. */
  | 'withdrawn';

/** A signature request as its link shows it. */
export interface SigningView {
  readonly state: SigningState;
  readonly request: AskedSignature;
}

/** How the contact answers. */
export interface SigningAnswer {
  readonly answer: 'signed' | 'declined';
  /** Whoever signs says so; declining needs no name. */
  readonly signerName: string | null;
  /** IP address and browser from which the answer came. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** What a token leads to; nothing when it is nobody's. Reading changes nothing. */
export async function viewSignatureRequest(
  knex: Knex,
  token: string,
  now: Date,
): Promise<SigningView | undefined> {
  const delivery = await findDelivery(knex, token);
  const request = delivery && (await readAskedSignature(knex, delivery.requestId));
  return request && { request, state: stateOf(request, delivery, now) };
}

function stateOf(request: AskedSignature, { delivery }: Delivery, now: Date): SigningState {
  if (request.delivery !== delivery) return 'withdrawn';
  if (request.answer !== null) return request.answer;
  const isPast = request.expiresOn !== null && request.expiresOn <= now;
  const { asked } = request;
  if (isPast || asked.some(({ status, isCurrent }) => isCurrent && status === 'expired')) {
    return 'expired';
  }
  return asked.some(isPending) ? 'pending' : 'withdrawn';
}

/**
 * Records the answer of the contact for every mandate that still waits for it, once: what a second
 * answer, or one that comes too late, finds is in the view. Nothing when the token is nobody's.
 */
export async function answerSignatureRequest(
  knex: Knex,
  token: string,
  answer: SigningAnswer,
  now: Date,
): Promise<SigningView | undefined> {
  const delivery = await findDelivery(knex, token);
  if (delivery === undefined) return undefined;
  const { requestId } = delivery;
  return inTransaction(knex, async (trx) => {
    const request = await lockSignatureRequest(trx, requestId);
    // Before looking: what is closed meanwhile leaves an answer to nothing.
    const mandates = await lockOpenMandates(trx, { signature_request_id: requestId });
    const view = await viewSignatureRequest(trx, token, now);
    if (request === undefined || view?.state !== 'pending') return view;
    // Whoever holds the link was sent it, also when the worker has not recorded that yet.
    const { email: to } = view.request.contact;
    await recordSending(trx, request, { to, now, expiresOn: endOfSigningPeriod(now) });
    await recordAnswer(trx, requestId, answer, now);
    await applyAnswer(trx, requestId, mandates, { trigger: answer.answer, now });
    return viewSignatureRequest(trx, token, now);
  });
}

async function recordAnswer(
  trx: Knex.Transaction,
  id: string,
  { answer, signerName, address, userAgent }: SigningAnswer,
  now: Date,
): Promise<void> {
  await trx('signature_requests').where({ id }).update({
    answer,
    answered_on: now,
    signer_name: signerName,
    signer_address: address,
    signer_user_agent: userAgent,
  });
}

async function applyAnswer(
  trx: Knex.Transaction,
  requestId: string,
  mandates: readonly OpenMandate[],
  step: { readonly trigger: SigningAnswer['answer']; readonly now: Date },
): Promise<void> {
  const unrecorded = mandates.filter(({ status }) => status === 'created');
  const { now } = step;
  await applyStep(trx, unrecorded, { trigger: 'requestSent', actor: { kind: 'service' }, now });
  const current = await lockOpenMandates(trx, { signature_request_id: requestId });
  const waiting = current.filter(({ status }) => status === 'waitingForSigner');
  await applyStep(trx, waiting, { ...step, actor: { kind: 'signer', requestId } });
  const answered = waiting.map(({ id }) => id);
  await trx('asked_mandates')
    .where({ request_id: requestId })
    .whereIn('mandate_id', answered)
    .update({ is_answered: true });
}
