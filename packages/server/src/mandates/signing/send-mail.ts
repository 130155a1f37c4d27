import type { MandateError } from '@adx/contract';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { inTransaction } from '../../db/transaction.js';
import type { Attempt } from '../../jobs/job.js';
import type { Mailer } from '../../mail/mailer.js';
import { MailRejected, type Message } from '../../mail/message.js';
import { endOfSigningPeriod } from '../mandate-jobs.js';
import { addToHistory, applyWhereAllowed, type Step } from '../mandate-steps.js';
import { lockOpenMandates } from '../open-mandates.js';
import { evidenceFiles } from './evidence-files.js';
import { findEvidence } from './evidence-store.js';
import { evidenceMail } from './mail/evidence-mail.js';
import { signatureRequestMail } from './mail/signature-request-mail.js';
import { isDue, type MailBudgets, permitMail } from './mail-budgets.js';
import {
  findMail,
  type MailKey,
  type OutgoingMail,
  recordFailure,
  recordSent,
} from './outgoing-mails.js';
import { pendingMandates, readRequestDetails } from './request-details.js';
import { lockSignatureRequest, recordSentRequest } from './signature-requests.js';
import type { SigningUrls } from './signing-urls.js';

export interface SendingDependencies {
  readonly knex: Knex;
  readonly mailer: Mailer;
  readonly signingUrls: SigningUrls;
  /** The number of failures after which a mail is given up. */
  readonly mailAttempts: number;
  readonly mailBudgets: MailBudgets;
  readonly logger: Logger;
  readonly now: () => Date;
}

interface Sending {
  compose(): Promise<Omit<Message, 'id'>>;
  readonly attempts: number;
  /** The text of the log line if it is given up. */
  readonly warning: string;
  sent(sentOn: Date): Promise<void>;
  givenUp?(error: unknown): Promise<void>;
}

/**
 * Sends a mail, unless it was sent, is not needed any more, or waits for a budget (D-36). It is
 * sent before that is recorded: if the worker is killed in between, the same mail is sent again.
 *
 * @throws Error if another attempt may succeed
 */
export async function sendMail(
  dependencies: SendingDependencies,
  key: MailKey,
  attempt: Attempt,
): Promise<void> {
  const { knex, mailer, logger, now } = dependencies;
  const mail = await findMail(knex, key);
  const sending = mail && (await prepare[mail.kind](dependencies, mail));
  if (mail === undefined || sending === undefined) return;
  let address: string | undefined;
  try {
    const message = await sending.compose();
    address = message.to.address;
    await mailer.send({ id: mail.id, ...message });
  } catch (error) {
    const failures = await recordFailure(knex, mail, error, address);
    if (await isReaddressed(knex, mail)) return;
    // Only failures to send count, not attempts whose worker was killed before it sent anything.
    const isLast = error instanceof MailRejected || failures >= sending.attempts || attempt.isLast;
    if (!isLast) throw error;
    logger.warn({ signatureRequest: mail.requestId, mail: mail.id, err: error }, sending.warning);
    return sending.givenUp?.(error);
  }
  await sending.sent(now());
}

type Prepare = (
  dependencies: SendingDependencies,
  mail: OutgoingMail,
) => Promise<Sending | undefined>;

const prepare: Readonly<Record<OutgoingMail['kind'], Prepare>> = {
  request: prepareRequest,
  reminder: prepareReminder,
  confirmation: prepareEvidence,
  evidence: prepareEvidence,
};

/** Returns true if the request now goes to another address, so that the mail is not needed. */
async function isReaddressed(
  knex: Knex,
  { kind, requestId, firmId, delivery }: OutgoingMail,
): Promise<boolean> {
  if (kind === 'confirmation' || kind === 'evidence') return false;
  const request = await knex('signature_requests')
    .where({ id: requestId, firm_id: firmId })
    .first('delivery');
  return request?.delivery !== delivery;
}

/**
 * Prepares a request. If the mail server refuses the mailbox, the mandates are in `error`, as after
 * the last failed attempt, unless an earlier address got the request (D-25).
 */
async function prepareRequest(
  { knex, signingUrls, mailAttempts, mailBudgets, logger, now }: SendingDependencies,
  mail: OutgoingMail,
): Promise<Sending | undefined> {
  const permission = await inTransaction(knex, (trx) => permitMail(trx, mail, mailBudgets, now()));
  if (permission.may === 'wait') {
    const { owner } = permission;
    const orDisabled = owner === 'firm' ? ', or the firm is disabled' : '';
    logger.warn(
      { signatureRequest: mail.requestId, firm: mail.firmId, customer: mail.customerId },
      `a signature request waits, because the budget of mails of its ${owner} is used up${orDisabled}`,
    );
  }
  if (permission.may !== 'send') return undefined;
  const { request, sentOn } = permission;
  const to = request.contactEmail;
  const expiresOn = request.expiresOn ?? endOfSigningPeriod(sentOn ?? now());
  if (sentOn !== null) {
    await recordRequest(knex, mail, { to, expiresOn, now: sentOn });
    return undefined;
  }
  const mandates = pendingMandates(request);
  const url = await signingUrls.create(knex, mail);
  const wasDelivered = request.sentOn !== null;
  return {
    compose: async () => signatureRequestMail({ ...request, expiresOn, mandates }, url),
    // The new address of a contact is tried as long as the request can be answered.
    attempts: wasDelivered ? Number.POSITIVE_INFINITY : mailAttempts,
    warning: 'a signature request could not be delivered',
    sent: (instant) => recordRequest(knex, mail, { to, expiresOn, now: instant }),
    async givenUp(error) {
      const isRefused = error instanceof MailRejected;
      if (wasDelivered && !isRefused) return;
      await recordUndelivered(knex, mail, isRefused ? refused : undelivered, now());
    },
  };
}

/** Prepares a reminder. If it is given up, nothing changes: the contact has the request (D-25). */
async function prepareReminder(
  { knex, signingUrls, mailAttempts, now }: SendingDependencies,
  mail: OutgoingMail,
): Promise<Sending | undefined> {
  if (mail.sentOn !== null || (await isReaddressed(knex, mail))) return undefined;
  const request = await readRequestDetails(knex, mail);
  const asked = await knex('outgoing_mails')
    .where({ request_id: mail.requestId, firm_id: mail.firmId })
    .where({ delivery: mail.delivery, kind: 'request' })
    .first<{ sentOn: Date } | undefined>('sent_on as sentOn');
  if (request === undefined || asked === undefined) return undefined;
  if (request.isFirmDisabled || !isDue(request, now())) return undefined;
  const { sentOn: askedOn } = asked;
  const expiresOn = request.expiresOn ?? endOfSigningPeriod(askedOn);
  const mandates = pendingMandates(request);
  const url = await signingUrls.create(knex, mail);
  return {
    compose: async () => signatureRequestMail({ ...request, expiresOn, mandates, askedOn }, url),
    attempts: mailAttempts,
    warning: 'a reminder of a signature request could not be delivered',
    sent: (sentOn) =>
      inTransaction(knex, async (trx) => {
        if (!(await recordSent(trx, mail, sentOn))) return;
        const ids = mandates.map(({ id }) => id);
        const reminded = await lockOpenMandates(trx, { id: ids }, mail.firmId);
        await addToHistory(
          trx,
          mail.firmId,
          { trigger: 'reminded', actor: { kind: 'service' } },
          reminded.map(({ id, status }) => ({ id, from: status, to: status, happenedOn: sentOn })),
        );
      }),
  };
}

/** Prepares evidence. A failure does not affect the answer; `mandate show` has it (D-37). */
async function prepareEvidence(
  { knex, mailAttempts }: SendingDependencies,
  mail: OutgoingMail,
): Promise<Sending | undefined> {
  const { sentOn: before, address, kind } = mail;
  if (before !== null || address === null) return undefined;
  return {
    async compose() {
      const evidence = await findEvidence(knex, mail);
      if (evidence === undefined) throw new Error('There is no evidence of this request');
      const { signer, shown } = evidence;
      // A contact who declines enters no name, so it is that of the customer's contact.
      const contact = async () =>
        signer.name ?? (await readRequestDetails(knex, mail))?.contactName ?? '';
      const name = kind === 'evidence' ? shown.firm.name : await contact();
      return {
        ...evidenceMail(evidence, { kind, name, address }),
        attachments: await evidenceFiles(evidence),
      };
    },
    attempts: mailAttempts,
    warning: 'the evidence of an answer could not be delivered',
    sent: async (sentOn) => void (await recordSent(knex, mail, sentOn)),
  };
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

/**
 * Records a signature request that the mail server accepted, even if it now goes to another
 * address.
 */
function recordRequest(
  knex: Knex,
  mail: OutgoingMail,
  sent: Parameters<typeof recordSentRequest>[2],
): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const request = await lockSignatureRequest(trx, mail.requestId, mail.firmId);
    if (request?.delivery === mail.delivery) {
      await recordSentRequest(trx, request, sent);
      await apply(trx, mail, { trigger: 'requestSent', actor: { kind: 'service' }, now: sent.now });
    }
    await recordSent(trx, mail, sent.now);
  });
}

/**
 * Puts the mandates that wait for a mail into `error`, unless the request now goes to another
 * address, or another worker has sent this mail meanwhile.
 */
function recordUndelivered(
  knex: Knex,
  mail: OutgoingMail,
  error: MandateError,
  now: Date,
): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const request = await lockSignatureRequest(trx, mail.requestId, mail.firmId);
    const current = await findMail(trx, mail);
    if (request?.delivery !== mail.delivery || current === undefined || current.sentOn) return;
    await apply(trx, mail, { trigger: 'deliveryFailed', actor: { kind: 'service' }, now, error });
  });
}

async function apply(
  trx: Knex.Transaction,
  { requestId, firmId }: OutgoingMail,
  step: Step,
): Promise<void> {
  const mandates = await lockOpenMandates(trx, { signature_request_id: requestId }, firmId);
  await applyWhereAllowed(trx, mandates, step);
}
