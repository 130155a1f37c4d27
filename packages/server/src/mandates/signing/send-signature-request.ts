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
 * disabled (D-60). After the last failed attempt to send, or if the mail server rejects it permanently,
 * its mandates are in `error` (D-25).
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
  const { knex, mailer, links, mailBudgets, logger, now } = dependencies;
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
    const failure = await recordFailedSending(dependencies, mail, { to, error, attempt });
    if (failure === 'readdressed') return;
    const isRejected = error instanceof MailRejected;
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

/**
 * Records a failure to send.
 *
 * @returns `'givenUp'` if no further attempt follows, `'readdressed'` if the request now goes to another address
 * @throws the error if another attempt may succeed
 */
export async function recordFailedSending(
  { knex, mailAttempts }: SendingDependencies,
  mail: RequestMail,
  {
    to,
    error,
    attempt,
  }: { readonly to: string; readonly error: unknown; readonly attempt: Attempt },
): Promise<'givenUp' | 'readdressed'> {
  const failures = await recordSendFailure(knex, mail, to, error);
  if (failures === undefined) return 'readdressed';
  // Only failures to send count, not attempts whose worker was killed before it sent anything.
  const isLast = error instanceof MailRejected || failures >= mailAttempts || attempt.isLast;
  if (!isLast) throw error;
  return 'givenUp';
}

export const refused: MandateError = {
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
  const { requestId: request_id, delivery } = mail;
  const sentOn = sent.now;
  return inTransaction(knex, async (trx) => {
    const step = { trigger: 'requestSent', actor: { kind: 'service' }, now: sentOn } as const;
    await recordOutcome(trx, mail, step, sent);
    await trx('request_mails')
      .where({ request_id, delivery, reminder: 0 })
      .update({ sent_on: sentOn });
  });
}

/** Applies the outcome to the mandates that wait for it, unless the request now goes to another address. */
export function recordOutcome(
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
