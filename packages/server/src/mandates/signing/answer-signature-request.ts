import type { Language } from '@adx/contract';
import type { Knex } from 'knex';
import { insertAuditEntries, type NewAuditEntry } from '../../audit/audit-entry.js';
import { inTransaction } from '../../db/transaction.js';
import { endOfSigningPeriod } from '../mandate-jobs.js';
import { applyWhereAllowed } from '../mandate-steps.js';
import { lockOpenMandates, type OpenMandate } from '../open-mandates.js';
import { type CheckedEvidence, composeEvidence } from './evidence.js';
import { findEvidence, recordEvidence } from './evidence-store.js';
import type { GivenAnswer } from './page/signing-form.js';
import { pendingMandates, type RequestDetails, readRequestDetails } from './request-details.js';
import { hashOfShown, showRequest } from './shown-request.js';
import {
  lockSignatureRequest,
  recordSentRequest,
  type SignatureRequest,
} from './signature-requests.js';
import { findRequestMail, type RequestMail } from './signing-links.js';

/** The state of a signature request for the person who opens its signing URL. */
export type SigningState =
  | 'pending'
  | 'signed'
  /** Signed, except for the mandates that the contact excluded. */
  | 'partlySigned'
  | 'declined'
  /** The signing period has ended. */
  | 'expired'
  /**
   * No mandate is left to sign, the request was sent to another address, or it could not be
   * delivered.
   */
  | 'withdrawn'
  /** The firm is disabled, so that it can neither be signed nor declined (D-60). */
  | 'firmDisabled';

/** A signature request and its state for one signing URL. */
export interface SigningView {
  readonly state: SigningState;
  readonly request: RequestDetails;
  /** Undefined without an answer (D-37). */
  readonly evidence: CheckedEvidence | undefined;
}

/** The answer of the contact. */
export interface SigningAnswer extends GivenAnswer {
  /** The language of the page; without it, that of the contact. */
  readonly language: Language | undefined;
  /** The hash of what the page showed (`hashOfShown`). */
  readonly shown: string;
  /** The IP address of the contact. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** Returns the signature request of a token, or undefined if there is none. */
export async function viewSignatureRequest(
  knex: Knex,
  token: string,
  now: Date,
): Promise<SigningView | undefined> {
  const mail = await findRequestMail(knex, token);
  if (mail === undefined) return undefined;
  const request = await readRequestDetails(knex, mail);
  if (request === undefined) return undefined;
  const evidence = request.answer === null ? undefined : await findEvidence(knex, mail.requestId);
  return { request, state: stateOf(request, mail, now), evidence };
}

function stateOf(request: RequestDetails, { delivery }: RequestMail, now: Date): SigningState {
  if (request.delivery !== delivery) return 'withdrawn';
  if (request.answer !== null) {
    return request.asked.some(({ isDeclined }) => isDeclined) ? 'partlySigned' : request.answer;
  }
  const isPast = request.expiresOn !== null && request.expiresOn <= now;
  if (isPast || request.asked.some(({ status, isCurrent }) => isCurrent && status === 'expired')) {
    return 'expired';
  }
  if (pendingMandates(request).length === 0) return 'withdrawn';
  return request.isFirmDisabled ? 'firmDisabled' : 'pending';
}

/**
 * Records the answer of the contact, once, for all mandates of the request that still wait for it;
 * those that the contact excludes from a signature are declined. A second or late answer changes
 * nothing. Neither does an answer to a page that showed something else than it would show now: the
 * evidence is what the contact saw (D-37).
 *
 * @returns the request after the answer, `pending` if the page has changed; undefined if the token
 *   is unknown
 */
export async function answerSignatureRequest(
  knex: Knex,
  token: string,
  answer: SigningAnswer,
  now: Date,
): Promise<SigningView | undefined> {
  const mail = await findRequestMail(knex, token);
  if (mail === undefined) return undefined;
  const { requestId, firmId } = mail;
  return inTransaction(knex, async (trx) => {
    const request = await lockSignatureRequest(trx, requestId, firmId);
    // Locked before they are read below, so that none is closed in between.
    const mandates = await lockOpenMandates(trx, { signature_request_id: requestId }, firmId);
    const view = await viewSignatureRequest(trx, token, now);
    if (request === undefined || view?.state !== 'pending') return view;
    const { contactEmail, language, expiresOn } = view.request;
    const shown = showRequest(view.request, answer.language ?? language);
    if (hashOfShown(shown) !== answer.shown) return view;
    const excluded = shown.mandates
      .filter((_, place) => answer.excluded.includes(place + 1))
      .map(({ id }) => id);
    // The contact has the mail, even if the worker has not recorded that it was sent.
    const sending = { to: contactEmail, now, expiresOn: expiresOn ?? endOfSigningPeriod(now) };
    await recordSentRequest(trx, request, sending);
    const { signerName: name, address: ipAddress, userAgent } = answer;
    const signer = { name, email: contactEmail, ipAddress, userAgent };
    await recordEvidence(
      trx,
      composeEvidence({ requestId, answer: answer.answer, excluded, signer, shown }, now),
      request,
    );
    // The database refuses it without evidence.
    await recordAnswer(trx, request, answer, now);
    await insertAuditEntries(trx, [signingEntry(view.request, answer.answer, now)]);
    await applyAnswer(trx, request, mandates, { trigger: answer.answer, excluded, now });
    return viewSignatureRequest(trx, token, now);
  });
}

/**
 * Returns the entry of what was done with a signature request (D-58). Only an answer is known to be
 * that of the contact: programs that scan mail fetch the page too. The entry has no address and no
 * name: those of an answer are in the evidence.
 */
export function signingEntry(
  { firmId, customerId, requestId }: RequestDetails,
  step: 'page fetched' | SigningAnswer['answer'],
  now: Date,
): NewAuditEntry {
  return {
    occurredOn: now,
    actor: step === 'page fetched' ? 'visitor' : 'signer',
    firmId,
    customerId,
    objectId: requestId,
    action: `signature request ${step}`,
    outcome: 'done',
  };
}

async function recordAnswer(
  trx: Knex.Transaction,
  { id, firmId: firm_id }: SignatureRequest,
  { answer, signerName, address, userAgent }: SigningAnswer,
  now: Date,
): Promise<void> {
  await trx('signature_requests').where({ id, firm_id }).update({
    answer,
    answered_on: now,
    signer_name: signerName,
    signer_address: address,
    signer_user_agent: userAgent,
  });
}

async function applyAnswer(
  trx: Knex.Transaction,
  { id: requestId, firmId }: SignatureRequest,
  mandates: readonly OpenMandate[],
  {
    trigger,
    excluded,
    now,
  }: {
    readonly trigger: SigningAnswer['answer'];
    readonly excluded: readonly string[];
    readonly now: Date;
  },
): Promise<void> {
  const sent = { trigger: 'requestSent', actor: { kind: 'service' }, now } as const;
  await applyWhereAllowed(trx, mandates, sent);
  const current = await lockOpenMandates(trx, { signature_request_id: requestId }, firmId);
  const actor = { kind: 'signer', requestId } as const;
  const isExcluded = ({ id }: OpenMandate) => excluded.includes(id);
  const answered = [
    ...(await applyWhereAllowed(
      trx,
      current.filter((mandate) => !isExcluded(mandate)),
      { trigger, actor, now },
    )),
    ...(await applyWhereAllowed(trx, current.filter(isExcluded), {
      trigger: 'declined',
      actor,
      now,
    })),
  ];
  await trx('asked_mandates')
    .where({ request_id: requestId, firm_id: firmId })
    .whereIn(
      'mandate_id',
      answered.map(({ id }) => id),
    )
    .update({
      is_answered: true,
      is_declined: trx.raw('mandate_id = any(?)', [[...excluded]]),
    });
}
