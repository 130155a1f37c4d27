import type { Knex } from 'knex';
import { inTransaction } from '../../db/transaction.js';
import type { Attempt } from '../../jobs/job.js';
import { endOfSigningPeriod } from '../mandate-jobs.js';
import { addToHistory } from '../mandate-steps.js';
import { lockOpenMandates } from '../open-mandates.js';
import { signatureRequestMail } from './mail/signature-request-mail.js';
import { isDue } from './mail-budgets.js';
import { pendingMandates, type RequestDetails, readRequestDetails } from './request-details.js';
import {
  addressesOf,
  recordFailedSending,
  type SendingDependencies,
} from './send-signature-request.js';
import { lockSignatureRequest } from './signature-requests.js';
import { messageIdOf, type Reminder } from './signing-links.js';

/**
 * Reminds the contact of a request with the same link, unless it was answered or withdrawn since, goes
 * to another address (D-25), or its firm is disabled (D-60). A reminder that cannot be sent is given up, and
 * changes nothing: the contact has the request.
 *
 * The mail is sent before that is recorded. If the worker is killed in between, the same mail is sent
 * again.
 *
 * @throws Error if another attempt may succeed
 */
export async function sendReminder(
  dependencies: SendingDependencies,
  reminder: Reminder,
  attempt: Attempt,
): Promise<void> {
  const { knex, mailer, links, mailAttempts, logger, now } = dependencies;
  const found = await inTransaction(knex, (trx) => findReminder(trx, reminder, now()));
  if (found === undefined) return;
  const { request, askedOn } = found;
  const expiresOn = request.expiresOn ?? endOfSigningPeriod(askedOn);
  const mandates = pendingMandates(request);
  const link = await links.create(knex, reminder);
  try {
    await mailer.send({
      id: messageIdOf(reminder),
      ...addressesOf(request),
      ...signatureRequestMail({ ...request, expiresOn, mandates, askedOn }, link),
    });
  } catch (error) {
    const failed = { to: request.contactEmail, error, attempt, attempts: mailAttempts };
    if ((await recordFailedSending(knex, reminder, failed)) === 'readdressed') return;
    logger.warn(
      { signatureRequest: reminder.requestId, err: error },
      'a reminder of a signature request could not be delivered',
    );
    return;
  }
  const ids = mandates.map(({ id }) => id);
  await recordReminder(knex, reminder, ids, now());
}

/** Returns what a reminder is about; undefined if it was sent, or nothing waits for the contact. */
async function findReminder(
  trx: Knex.Transaction,
  { requestId, delivery, reminder }: Reminder,
  now: Date,
): Promise<{ readonly request: RequestDetails; readonly askedOn: Date } | undefined> {
  const locked = await lockSignatureRequest(trx, requestId);
  if (locked?.delivery !== delivery) return undefined;
  const request = await readRequestDetails(trx, requestId);
  if (request === undefined || request.isFirmDisabled || !isDue(request, now)) return undefined;
  const { rows } = await trx.raw<{ rows: { askedOn: Date }[] }>(
    `select asked.sent_on as "askedOn"
       from request_mails m
       join request_mails asked on asked.request_id = m.request_id
                               and asked.delivery = m.delivery and asked.reminder = 0
      where m.request_id = ? and m.delivery = ? and m.reminder = ? and m.sent_on is null`,
    [requestId, delivery, reminder],
  );
  const [sent] = rows;
  return sent && { request, askedOn: sent.askedOn };
}

/** Records a reminder that the mail server accepted, once, in the history of the mandates that it names. */
function recordReminder(
  knex: Knex,
  { requestId, delivery, reminder }: Reminder,
  mandateIds: readonly string[],
  sent_on: Date,
): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const recorded = await trx('request_mails')
      .where({ request_id: requestId, delivery, reminder })
      .whereNull('sent_on')
      .update({ sent_on });
    if (recorded === 0) return;
    const mandates = await lockOpenMandates(trx, { id: mandateIds });
    await addToHistory(
      trx,
      { trigger: 'reminded', actor: { kind: 'service' } },
      mandates.map(({ id, status }) => ({ id, from: status, to: status, happenedOn: sent_on })),
    );
  });
}
