import type { MandateError } from '@adx/contract';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { inTransaction } from '../../db/transaction.js';
import type { Attempt } from '../../jobs/job.js';
import type { Mailer } from '../../mail/mailer.js';
import { MailRejected, type Message } from '../../mail/message.js';
import { endOfSigningPeriod } from '../mandate-jobs.js';
import { applyWhereAllowed, type Step } from '../mandate-steps.js';
import { lockOpenMandates } from '../open-mandates.js';
import { signatureRequestMail } from './mail/signature-request-mail.js';
import { type MailBudgets, permitMail } from './mail-budgets.js';
import { pendingMandates, type RequestDetails } from './request-details.js';
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
  readonly mailBudgets: MailBudgets;
  readonly logger: Logger;
  readonly now: () => Date;
}

/**
 * Sends a signature request to the contact, or lets it wait if a budget is used up (D-36) or the firm is
 * disabled (D-60). If the mail server refuses the mailbox, its mandates are in `error`, and so they are
 * after the last failed attempt, unless an earlier address got the request (D-25).
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
  const { knex, mailer, links, mailAttempts, mailBudgets, logger, now } = dependencies;
  const permission = await inTransaction(knex, (trx) => permitMail(trx, mail, mailBudgets, now()));
  if (permission.may === 'wait') {
    const { request, owner } = permission;
    const orDisabled = owner === 'firm' ? ', or the firm is disabled' : '';
    logger.warn(
      { signatureRequest: mail.requestId, firm: request.firmId, customer: request.customerId },
      `a signature request waits, because the budget of mails of its ${owner} is used up${orDisabled}`,
    );
  }
  if (permission.may !== 'send') return;
  const { request, sentOn } = permission;
  const to = request.contactEmail;
  const expiresOn = request.expiresOn ?? endOfSigningPeriod(sentOn ?? now());
  if (sentOn !== null) return recordSending(knex, mail, { to, expiresOn, now: sentOn });
  const link = await links.create(knex, mail);
  try {
    await mailer.send({
      id: messageIdOf(mail),
      ...addressesOf(request),
      ...signatureRequestMail({ ...request, expiresOn, mandates: pendingMandates(request) }, link),
    });
  } catch (error) {
    const wasDelivered = request.sentOn !== null;
    // The new address of a contact is tried as long as the request can be answered.
    const attempts = wasDelivered ? Number.POSITIVE_INFINITY : mailAttempts;
    const failure = await recordFailedSending(knex, mail, { to, error, attempt, attempts });
    if (failure === 'readdressed') return;
    logger.warn(
      { signatureRequest: mail.requestId, err: error },
      'a signature request could not be delivered',
    );
    const isRefused = error instanceof MailRejected;
    if (wasDelivered && !isRefused) return;
    return recordFailure(knex, mail, isRefused ? refused : undelivered, now());
  }
  await recordSending(knex, mail, { to, expiresOn, now: now() });
}

/** Returns the contact as the recipient of a mail, and the firm to which replies go. */
export function addressesOf({
  contactName,
  contactEmail,
  firmName,
  firmEmail,
  language,
}: RequestDetails): Pick<Message, 'to' | 'replyTo' | 'language'> {
  return {
    to: { name: contactName, address: contactEmail },
    ...(firmEmail !== null && { replyTo: { name: firmName, address: firmEmail } }),
    language,
  };
}

interface FailedSending {
  readonly to: string;
  readonly error: unknown;
  readonly attempt: Attempt;
  /** The number of failures after which it is given up. */
  readonly attempts: number;
}

/**
 * Records a failure to send.
 *
 * @returns `'givenUp'` if no further attempt follows, `'readdressed'` if the request now goes to another address
 * @throws the error if another attempt may succeed
 */
export async function recordFailedSending(
  knex: Knex,
  mail: RequestMail,
  { to, error, attempt, attempts }: FailedSending,
): Promise<'givenUp' | 'readdressed'> {
  const failures = await recordSendFailure(knex, mail, to, error);
  if (failures === undefined) return 'readdressed';
  // Only failures to send count, not attempts whose worker was killed before it sent anything.
  const isLast = error instanceof MailRejected || failures >= attempts || attempt.isLast;
  if (!isLast) throw error;
  return 'givenUp';
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

/** Records a mail that the mail server accepted, even if the request now goes to another address. */
function recordSending(knex: Knex, mail: RequestMail, sent: SentMail): Promise<void> {
  const now = sent.now;
  return inTransaction(knex, async (trx) => {
    const request = await lockSignatureRequest(trx, mail.requestId);
    if (request?.delivery === mail.delivery) {
      await recordSentMail(trx, request, sent);
      await apply(trx, mail, { trigger: 'requestSent', actor: { kind: 'service' }, now });
    }
    await requestMail(trx, mail).update({ sent_on: now });
  });
}

/**
 * Puts the mandates that wait for a mail into `error`, unless the request now goes to another address, or
 * another worker has sent this mail meanwhile.
 */
function recordFailure(
  knex: Knex,
  mail: RequestMail,
  error: MandateError,
  now: Date,
): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const request = await lockSignatureRequest(trx, mail.requestId);
    const isSent =
      (await requestMail(trx, mail).whereNotNull('sent_on').first('sent_on')) !== undefined;
    if (request?.delivery !== mail.delivery || isSent) return;
    await apply(trx, mail, { trigger: 'deliveryFailed', actor: { kind: 'service' }, now, error });
  });
}

function requestMail(trx: Knex.Transaction, { requestId, delivery }: RequestMail) {
  return trx('request_mails').where({ request_id: requestId, delivery, reminder: 0 });
}

async function apply(trx: Knex.Transaction, { requestId }: RequestMail, step: Step): Promise<void> {
  const mandates = await lockOpenMandates(trx, { signature_request_id: requestId });
  await applyWhereAllowed(trx, mandates, step);
}
