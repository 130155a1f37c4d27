import type { Language } from '@adx/contract';
import type { Knex } from 'knex';
import { insertAuditEntries, type NewAuditEntry } from '../../audit/audit-entry.js';
import { inTransaction } from '../../db/transaction.js';
import { endOfSigningPeriod } from '../mandate-jobs.js';
import { applyWhereAllowed } from '../mandate-steps.js';
import { lockOpenMandates, type OpenMandate } from '../open-mandates.js';
import { type CheckedEvidence, composeEvidence } from './evidence.js';
import { findEvidence, recordEvidence } from './evidence-store.js';
import { pendingMandates, type RequestDetails, readRequestDetails } from './request-details.js';
import { hashOfShown, showRequest } from './shown-request.js';
import {
  lockSignatureRequest,
  recordSentRequest,
  type SignatureRequest,
} from './signature-requests.js';
import type { GivenAnswer } from './signing-form.js';
import { findRequestMail, type RequestMail } from './signing-urls.js';

/** The state of a signature request that cannot be answered. */
export type Outcome =
  | 'signed'
  /** Signed, except for the mandates that the contact excluded. */
  | 'partlySigned'
  | 'declined'
  /** The signing period has ended. */
  | 'expired'
  /** No mandate is left to sign, or the request went to another address or was undeliverable. */
  | 'withdrawn'
  /** The firm is disabled (D-60). */
  | 'firmDisabled';

/** The state of a signature request for the person who opens its signing URL. */
export type SigningState = 'pending' | Outcome;

export interface SigningView {
  readonly state: SigningState;
  readonly request: RequestDetails;
  /** Undefined without an answer (D-37). */
  readonly evidence: CheckedEvidence | undefined;
}

export interface SigningAnswer extends GivenAnswer {
  /** The language of the page; without it, that of the contact. */
  readonly language: Language | undefined;
  /** The hash of the content of the page (`hashOfShown`). */
  readonly shown: string;
  /** The IP address of the contact. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** @param check - throws if calls of the firm are refused (D-72) */
export async function viewSignatureRequest(
  knex: Knex,
  token: string,
  now: Date,
  check: (firmId: string) => void = () => {},
): Promise<SigningView | undefined> {
  const mail = await findRequestMail(knex, token);
  if (mail === undefined) return undefined;
  check(mail.firmId);
  const request = await readRequestDetails(knex, mail);
  if (request === undefined) return undefined;
  const evidence = request.answer === null ? undefined : await findEvidence(knex, mail);
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
 * Records the answer of the contact for all mandates of the request that still wait for it; those
 * that the contact excludes from a signature are declined. A second or late answer changes nothing.
 * Neither does an answer to a page that showed something else than it would show now: the evidence
 * is what the contact saw (D-37).
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
    await trx('signature_requests')
      .where({ id: requestId, firm_id: firmId })
      .update({
        ...{ answer: answer.answer, answered_on: now, signer_name: name },
        ...{ signer_address: ipAddress, signer_user_agent: userAgent },
      });
    await insertAuditEntries(trx, [signingEntry(view.request, answer.answer, now)]);
    const answered = await applyAnswer(trx, request, mandates, answer.answer, excluded, now);
    const answeredIds = answered.map(({ id }) => id);
    await trx('asked_mandates')
      .where({ request_id: requestId, firm_id: firmId })
      .whereIn('mandate_id', answeredIds)
      .update({ is_answered: true, is_declined: trx.raw('mandate_id = any(?)', [excluded]) });
    return viewSignatureRequest(trx, token, now);
  });
}

/**
 * Returns the entry of a step (D-58). Only an answer is known to be that of the contact: programs
 * that scan mail fetch the page too. Address and name of an answer are in the evidence alone.
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

/** Returns the mandates that the answer covers. */
async function applyAnswer(
  trx: Knex.Transaction,
  { id: requestId, firmId }: SignatureRequest,
  mandates: readonly OpenMandate[],
  answer: SigningAnswer['answer'],
  excluded: readonly string[],
  now: Date,
): Promise<OpenMandate[]> {
  const sent = { trigger: 'requestSent', actor: { kind: 'service' }, now } as const;
  await applyWhereAllowed(trx, mandates, sent);
  const current = await lockOpenMandates(trx, { signature_request_id: requestId }, firmId);
  const isExcluded = ({ id }: OpenMandate) => excluded.includes(id);
  const included = current.filter((mandate) => !isExcluded(mandate));
  const step = { actor: { kind: 'signer', requestId }, now } as const;
  const declined = { ...step, trigger: 'declined' } as const;
  return [
    ...(await applyWhereAllowed(trx, included, { ...step, trigger: answer })),
    ...(await applyWhereAllowed(trx, current.filter(isExcluded), declined)),
  ];
}
