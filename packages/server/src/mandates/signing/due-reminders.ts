/**
 * Reminders of signature requests (D-25): 7, 14 and 25 days after the message to an address, as long as
 * a mandate of the request waits for the contact there.
 */

import type { Knex } from 'knex';
import { DAY } from '../../dates/brussels-day.js';
import { inTransaction } from '../../db/transaction.js';
import { enqueue, type Job } from '../../jobs/job.js';
import { attemptEach } from '../../jobs/repeating-tasks.js';
import { reminderDays } from '../lifecycle.js';
import { countMail, isDue, type MailBudgets, usedUpBudget } from './mail-budgets.js';
import { readRequestDetails } from './request-details.js';
import {
  type BudgetOwner,
  lastPriority,
  lockSignatureRequest,
  MAIL_JOB_ATTEMPTS,
} from './signature-requests.js';
import type { Reminder, RequestMail } from './signing-links.js';

interface DueMail extends RequestMail {
  readonly firmId: string;
  readonly customerId: string;
  /** The mailbox of the contact's address. */
  readonly mailbox: string;
}

/**
 * Enqueues the reminders that are due, without those of disabled firms (D-60). One beyond a budget waits
 * for the next run, together with all others of the same owner.
 */
export async function remindContacts(
  knex: Knex,
  budgets: MailBudgets,
  now: () => Date,
): Promise<void> {
  const usedUp = new Set<string>();
  await attemptEach(
    await dueMails(knex, now()),
    ({ customerId }) => `customer ${customerId}`,
    async (mail) => {
      const owners = { customer: mail.customerId, firm: mail.firmId, address: mail.mailbox };
      if (Object.values(owners).some((owner) => usedUp.has(owner))) return;
      const owner = await inTransaction(knex, (trx) => allowReminder(trx, mail, budgets, now()));
      if (owner !== undefined) usedUp.add(owners[owner]);
    },
  );
}

async function dueMails(knex: Knex, now: Date): Promise<DueMail[]> {
  const before = (days: number) => new Date(now.getTime() - days * DAY);
  const { rows } = await knex.raw<{ rows: DueMail[] }>(
    `select m.request_id as "requestId", m.delivery, m.firm_id as "firmId",
            m.customer_id as "customerId", mailbox_of(c.contact_email) as mailbox
       from request_mails m join customers c on c.id = m.customer_id join firms f on f.id = m.firm_id
      where m.reminder = 0 and f.disabled_on is null and m.reminders_due < ${reminderDays.length}
        and (${reminderDays.map((_, place) => `m.reminders_due = ${place} and m.sent_on <= ?`).join(' or ')})
      order by m.sent_on, m.request_id, m.delivery`,
    reminderDays.map(before),
  );
  return rows;
}

/**
 * Enqueues the latest reminder that is due, unless nothing waits for the contact at this address any
 * more. Reminders that were missed are not made up for. Every waiting request goes before a reminder.
 *
 * @returns the owner of the budget that is used up, if the reminder has to wait
 */
async function allowReminder(
  trx: Knex.Transaction,
  { requestId, delivery }: RequestMail,
  budgets: MailBudgets,
  now: Date,
): Promise<BudgetOwner | undefined> {
  const locked = await lockSignatureRequest(trx, requestId);
  const mail = trx('request_mails').where({ request_id: requestId, delivery, reminder: 0 });
  const sent = await mail
    .clone()
    .first<{ sentOn: Date; due: number } | undefined>('sent_on as sentOn', 'reminders_due as due');
  if (locked === undefined || sent === undefined) return undefined;
  const reminder = remindersSince(sent.sentOn, now);
  if (reminder <= sent.due) return undefined;
  const request = await readRequestDetails(trx, requestId);
  if (request !== undefined && locked.delivery === delivery && isDue(request, now)) {
    const asked = { ...locked, createdOn: now };
    const owner = await usedUpBudget(trx, asked, request.contactEmail, budgets, now);
    if (owner !== undefined) return owner;
    await countMail(trx, { requestId, delivery, reminder }, request, now);
    await trx('signature_requests')
      .where({ id: requestId })
      .update({ failed_sendings: 0, last_failure: null, failed_to: null });
    await enqueue(trx, reminderJob({ requestId, delivery, reminder }));
  }
  await mail.update({ reminders_due: reminder });
  return undefined;
}

/** Returns how many reminders of a mail are due. */
function remindersSince(sentOn: Date, now: Date): number {
  return reminderDays.filter((days) => sentOn.getTime() + days * DAY <= now.getTime()).length;
}

function reminderJob(reminder: Reminder): Job {
  return {
    task: 'sendReminder',
    payload: {
      requestId: reminder.requestId,
      delivery: reminder.delivery,
      reminder: reminder.reminder,
    },
    key: `sendReminder:${reminder.requestId}:${reminder.delivery}:${reminder.reminder}`,
    priority: lastPriority,
    maxAttempts: MAIL_JOB_ATTEMPTS,
  };
}
