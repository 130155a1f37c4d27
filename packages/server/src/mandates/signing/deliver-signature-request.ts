import type { MandateError } from '@adx/contract';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { inTransaction } from '../../db/transaction.js';
import type { Attempt } from '../../jobs/job.js';
import type { Mailer } from '../../mail/mailer.js';
import { RecipientRefused } from '../../mail/message.js';
import { endOfSigningPeriod } from '../mandate-jobs.js';
import { applyStep } from '../mandate-steps.js';
import { lockOpenMandates } from '../open-mandates.js';
import { signatureRequestMail } from './mail/signature-request-mail.js';
import { type AskedSignature, isPending, readAskedSignature } from './request-details.js';
import {
  countFailedSending,
  lockSignatureRequest,
  recordSending,
  type Sending,
} from './signature-requests.js';
import type { Delivery, SigningLinks } from './signing-links.js';

/** What sending signature requests needs. */
export interface DeliveryDependencies {
  readonly knex: Knex;
  readonly mailer: Mailer;
  readonly links: SigningLinks;
  /** Attempts after which a message counts as undeliverable. */
  readonly mailAttempts: number;
  readonly logger: Logger;
  readonly now: () => Date;
}

/**
 * Sends a signature request to the contact. Throws where another attempt may succeed; after the last
 * one, or when the address is refused, its mandates are in `error`.
 *
 * Sending and recording it are two steps: a worker that dies in between sends the message again, the
 * same one with the same link.
 */
export async function deliverSignatureRequest(
  dependencies: DeliveryDependencies,
  delivery: Delivery,
  attempt: Attempt,
): Promise<void> {
  const { knex, mailer, links, mailAttempts, logger, now } = dependencies;
  const request = await readAskedSignature(knex, delivery.requestId);
  if (request === undefined || !isAwaited(request, delivery, now())) return;
  const expiresOn = request.expiresOn ?? endOfSigningPeriod(now());
  const link = await links.create(knex, delivery);
  try {
    await mailer.send({
      id: `${delivery.requestId}.${delivery.delivery}`,
      to: { name: request.contact.name, address: request.contact.email },
      language: request.language,
      ...signatureRequestMail(toMail(request, expiresOn), link),
    });
  } catch (error) {
    const isRefused = error instanceof RecipientRefused;
    if (!isRefused) {
      const failed = await countFailedSending(knex, delivery.requestId, delivery.delivery);
      if (failed === undefined) return;
      // Attempts that ended otherwise, as with a killed worker, say nothing about the address.
      if (failed < mailAttempts && !attempt.isLast) throw error;
    }
    logger.warn({ request: delivery.requestId, err: error }, 'signature request not delivered');
    return recordFailure(knex, delivery, now(), isRefused ? refused : undelivered);
  }
  await recordSent(knex, delivery, { to: request.contact.email, expiresOn, now: now() });
}

const refused: MandateError = {
  code: 'recipientRefused',
  message: 'The e-mail address of the contact was refused.',
};

/** Also what an operator reports when a message came back. */
export const undelivered: MandateError = {
  code: 'deliveryFailed',
  message: 'The signature request could not be delivered to the contact.',
};

/** Not when the contact moved meanwhile, answered or is too late, or when nothing is left to sign. */
function isAwaited(request: AskedSignature, { delivery }: Delivery, now: Date): boolean {
  if (request.expiresOn !== null && request.expiresOn <= now) return false;
  return request.delivery === delivery && request.answer === null && request.asked.some(isPending);
}

function toMail(request: AskedSignature, expiresOn: Date) {
  const { firmName, customerName, enterpriseNumber, contact, language, asked } = request;
  const mandates = asked.filter(isPending).map(({ mandate }) => mandate);
  return {
    ...{ firmName, customerName, enterpriseNumber, language },
    ...{ contactName: contact.name, expiresOn, mandates },
  };
}

function recordSent(
  knex: Knex,
  { requestId, delivery }: Delivery,
  sending: Sending,
): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const request = await lockSignatureRequest(trx, requestId);
    if (request?.delivery !== delivery) return;
    await recordSending(trx, request, sending);
    const mandates = await lockOpenMandates(trx, { signature_request_id: requestId });
    await applyStep(
      trx,
      mandates.filter(({ status }) => status === 'created'),
      { trigger: 'requestSent', actor: { kind: 'service' }, now: sending.now },
    );
  });
}

function recordFailure(
  knex: Knex,
  { requestId, delivery }: Delivery,
  now: Date,
  error: MandateError,
): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const request = await lockSignatureRequest(trx, requestId);
    if (request?.delivery !== delivery) return;
    const mandates = await lockOpenMandates(trx, { signature_request_id: requestId });
    await applyStep(
      trx,
      mandates.filter(({ status }) => status === 'created' || status === 'waitingForSigner'),
      { trigger: 'deliveryFailed', actor: { kind: 'service' }, now, error },
    );
  });
}
