import type { MandateError } from '@adx/contract';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { inTransaction } from '../../db/transaction.js';
import type { Attempt } from '../../jobs/job.js';
import type { Mailer } from '../../mail/mailer.js';
import { MailRejected } from '../../mail/message.js';
import { endOfSigningPeriod } from '../mandate-jobs.js';
import { applyWhereAllowed, type Step } from '../mandate-steps.js';
import { lockOpenMandates } from '../open-mandates.js';
import { signatureRequestMail } from './mail/signature-request-mail.js';
import { pendingMandates, type RequestDetails, readRequestDetails } from './request-details.js';
import {
  lockSignatureRequest,
  recordSendFailure,
  recordSentMail,
  type SentMail,
} from './signature-requests.js';
import { messageIdOf, type RequestMail, type SigningLinks } from './signing-links.js';

export interface SendingDependencies {
  readonly knex: Knex;
  readonly mailer: Mailer;
  readonly links: SigningLinks;
  /** The number of failed attempts to send after which a request is undeliverable. */
  readonly mailAttempts: number;
  readonly logger: Logger;
  readonly now: () => Date;
}

/**
 * Sends a signature request to the contact. After the last failed attempt to send, or if the mail server
 * rejects it permanently, its mandates are in `error` (D-25).
 *
 * The mail is sent before that is recorded. If the worker is killed in between, the same mail with the
 * same link is sent again.
 *
 * @throws Error if another attempt may succeed
 */
export async function sendSignatureRequest(
  dependencies: SendingDependencies,
  mail: RequestMail,
  attempt: Attempt,
): Promise<void> {
  const { knex, mailer, links, mailAttempts, logger, now } = dependencies;
  const request = await readRequestDetails(knex, mail.requestId);
  if (request === undefined || !isDue(request, mail, now())) return;
  const expiresOn = request.expiresOn ?? endOfSigningPeriod(now());
  const link = await links.create(knex, mail);
  try {
    await mailer.send({
      id: messageIdOf(mail),
      to: { name: request.contactName, address: request.contactEmail },
      language: request.language,
      ...signatureRequestMail({ ...request, expiresOn, mandates: pendingMandates(request) }, link),
    });
  } catch (error) {
    const failures = await recordSendFailure(knex, mail, request.contactEmail, error);
    if (failures === undefined) return;
    const isRejected = error instanceof MailRejected;
    // Only failures to send count, not attempts whose worker was killed before it sent anything.
    if (!isRejected && failures < mailAttempts && !attempt.isLast) throw error;
    logger.warn(
      { signatureRequest: mail.requestId, err: error },
      'a signature request could not be delivered',
    );
    return recordOutcome(knex, mail, {
      trigger: 'deliveryFailed',
      actor: { kind: 'service' },
      now: now(),
      error: isRejected && error.rejected === 'recipient' ? refused : undelivered,
    });
  }
  const sending = { to: request.contactEmail, expiresOn, now: now() };
  const sent: Step = { trigger: 'requestSent', actor: { kind: 'service' }, now: sending.now };
  await recordOutcome(knex, mail, sent, sending);
}

const refused: MandateError = {
  code: 'recipientRefused',
  message: 'The e-mail address of the contact was refused.',
};

/** Operators report this error too, if the mail was returned. */
export const undelivered: MandateError = {
  code: 'deliveryFailed',
  message: 'The signature request could not be delivered to the contact.',
};

/** Returns false if the address has changed, the request is answered or expired, or no mandate is left to sign. */
function isDue(request: RequestDetails, { delivery }: RequestMail, now: Date): boolean {
  if (request.expiresOn !== null && request.expiresOn <= now) return false;
  if (request.delivery !== delivery || request.answer !== null) return false;
  return pendingMandates(request).length > 0;
}

/** Applies the outcome to the mandates that wait for it, unless the request now goes to another address. */
function recordOutcome(
  knex: Knex,
  { requestId, delivery }: RequestMail,
  outcome: Step,
  sending?: SentMail,
): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const request = await lockSignatureRequest(trx, requestId);
    if (request?.delivery !== delivery) return;
    if (sending !== undefined) await recordSentMail(trx, request, sending);
    const mandates = await lockOpenMandates(trx, { signature_request_id: requestId });
    await applyWhereAllowed(trx, mandates, outcome);
  });
}
