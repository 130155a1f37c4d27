/**
 * The mails that are sent without a call: requests whose budgets have room again (D-36), and
 * reminders after the message to an address, as long as a mandate waits for the contact there
 * (D-25).
 */

import type { Knex } from 'knex';
import { DAY } from '../../dates/brussels-day.js';
import { inTransaction } from '../../db/transaction.js';
import { enqueue, lastPlace } from '../../jobs/job.js';
import { attemptEach } from '../../jobs/repeating-tasks.js';
import { reminderDays } from '../lifecycle.js';
import {
  isDue,
  type MailBudgets,
  permitMail,
  startOfWindow,
  usedUpBudget,
} from './mail-budgets.js';
import {
  addMail,
  type BudgetOwner,
  findMail,
  mailJob,
  type OutgoingMail,
  recordFailure,
} from './outgoing-mails.js';
import { readRequestDetails } from './request-details.js';
import { lockSignatureRequest } from './signature-requests.js';

/** The number of mails of a firm released at once: those of other firms wait for few of them. */
const RELEASED_AT_ONCE = 50;

type RequestMail = Pick<OutgoingMail, 'id' | 'requestId' | 'delivery' | 'firmId' | 'customerId'>;

interface WaitingMail extends RequestMail {
  /** Its place among the waiting mails of its firm, from 0. */
  readonly place: number;
}

/**
 * Sends waiting requests whose budgets have room again, those of each firm in the order of their
 * age. One that fails is left to its job, so that later ones do not wait for it.
 *
 * @throws AggregateError that names the customers whose requests failed
 */
export async function releaseRequests(
  knex: Knex,
  budgets: MailBudgets,
  now: () => Date,
): Promise<void> {
  const firmsWithoutRoom = new Set<string>();
  await attemptEach(
    await waitingMails(knex, budgets, now()),
    ({ customerId }) => `customer ${customerId}`,
    async (mail) => {
      if (firmsWithoutRoom.has(mail.firmId)) return;
      const owner = await inTransaction(knex, (trx) => release(trx, mail, budgets, now())).catch(
        async (error: unknown) => {
          await inTransaction(knex, async (trx) => {
            await recordFailure(trx, mail, error);
            await enqueue(trx, mailJob(mail, { place: mail.place }));
          });
          throw error;
        },
      );
      if (owner === 'firm') firmsWithoutRoom.add(mail.firmId);
    },
  );
}

/** Returns the owner of the budget that the mail still waits for. */
async function release(
  trx: Knex.Transaction,
  mail: WaitingMail,
  budgets: MailBudgets,
  now: Date,
): Promise<BudgetOwner | undefined> {
  // Another process may have released it already.
  await lockSignatureRequest(trx, mail.requestId, mail.firmId);
  if (!(await findMail(trx, mail))?.waitsFor) return undefined;
  const permission = await permitMail(trx, mail, budgets, now);
  if (permission.may === 'send') await enqueue(trx, mailJob(mail, { place: mail.place }));
  return permission.may === 'wait' ? permission.owner : undefined;
}

/**
 * Returns the oldest waiting mails of each firm, without those whose customer or address has no
 * budget left. Those that wait for the firm are never left out: newer ones wait behind them until
 * they wait for another budget.
 */
async function waitingMails(knex: Knex, budgets: MailBudgets, now: Date): Promise<WaitingMail[]> {
  const waiting = `from outgoing_mails w
    join signature_requests r on r.id = w.request_id and r.firm_id = w.firm_id
    join customers c on c.id = w.customer_id and c.firm_id = w.firm_id
   where w.waits_for is not null`;
  const { rows: others } = await knex.raw<{ rows: { customerId: string; mailbox: string }[] }>(
    `select distinct w.customer_id as "customerId", mailbox_of(c.contact_email) as mailbox
       ${waiting} and w.waits_for <> 'firm'`,
  );
  const since = startOfWindow(now);
  const customers = others.map(({ customerId }) => customerId);
  const mailboxes = others.map(({ mailbox }) => mailbox);
  const { rows } = await knex.raw<{ rows: WaitingMail[] }>(
    `select * from (
       select w.id, w.request_id as "requestId", w.delivery, w.firm_id as "firmId",
              w.customer_id as "customerId",
              row_number() over (partition by w.firm_id order by r.created_on, r.id) - 1 as place
         ${waiting} and (w.waits_for = 'firm'
              or w.customer_id <> all(?) and mailbox_of(c.contact_email) <> all(?))) oldest
      where place < ${RELEASED_AT_ONCE} order by "firmId", place`,
    [
      await usedUp(knex, 'customer_id', customers, budgets.customer, since),
      await usedUp(knex, 'mailbox_of(address)', mailboxes, budgets.address, since),
    ],
  );
  return rows;
}

/** Returns those customers or mailboxes, of all firms, that got so many mails since an instant. */
async function usedUp(
  knex: Knex,
  owner: 'customer_id' | 'mailbox_of(address)',
  owners: readonly string[],
  budget: number,
  since: Date,
): Promise<string[]> {
  if (owners.length === 0) return [];
  const { rows } = await knex.raw<{ rows: { owner: string }[] }>(
    `select ${owner} as owner from outgoing_mails
      where ${owner} = any(?) and allowed_on > ? group by 1 having count(*) >= ?`,
    [[...new Set(owners)], since, budget],
  );
  return rows.map((row) => row.owner);
}

interface AskedMail extends RequestMail {
  /** The mailbox of the contact's address (`mailbox_of`). */
  readonly mailbox: string;
}

/**
 * Enqueues the reminders that are due. One beyond a budget waits for the next run, together with
 * all others of the same owner.
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

async function dueMails(knex: Knex, now: Date): Promise<AskedMail[]> {
  const before = (days: number) => new Date(now.getTime() - days * DAY);
  const { rows } = await knex.raw<{ rows: AskedMail[] }>(
    `select m.id, m.request_id as "requestId", m.delivery, m.firm_id as "firmId",
            m.customer_id as "customerId", mailbox_of(c.contact_email) as mailbox
       from outgoing_mails m
       join customers c on c.id = m.customer_id and c.firm_id = m.firm_id
       join firms f on f.id = m.firm_id
      where m.kind = 'request' and f.disabled_on is null and m.reminders_due < ${reminderDays.length}
        and (${reminderDays.map((_, place) => `m.reminders_due = ${place} and m.sent_on <= ?`).join(' or ')})
      order by m.sent_on, m.request_id, m.delivery`,
    reminderDays.map(before),
  );
  return rows;
}

/**
 * Enqueues the latest reminder that is due, unless nothing waits for the contact at this address
 * any more. Reminders that were missed are not made up for.
 *
 * @returns the owner of the budget that the reminder has to wait for
 */
async function allowReminder(
  trx: Knex.Transaction,
  { id, requestId, delivery, firmId, customerId }: AskedMail,
  budgets: MailBudgets,
  now: Date,
): Promise<BudgetOwner | undefined> {
  const locked = await lockSignatureRequest(trx, requestId, firmId);
  const mail = trx('outgoing_mails').where({ id, firm_id: firmId });
  const sent = await mail
    .clone()
    .first<{ sentOn: Date; due: number } | undefined>('sent_on as sentOn', 'reminders_due as due');
  if (locked === undefined || sent === undefined) return undefined;
  const age = now.getTime() - sent.sentOn.getTime();
  const reminder = reminderDays.filter((days) => days * DAY <= age).length;
  if (reminder <= sent.due) return undefined;
  const request = await readRequestDetails(trx, { requestId, firmId });
  if (request !== undefined && locked.delivery === delivery && isDue(request, now)) {
    // Every waiting request goes before a reminder.
    const asked = { ...locked, createdOn: now };
    const owner = await usedUpBudget(trx, asked, request.contactEmail, budgets, now);
    if (owner !== undefined) return owner;
    const added = await addMail(trx, {
      ...{ kind: 'reminder', requestId, firmId, customerId, delivery, reminder },
      ...{ address: request.contactEmail, allowedOn: now },
    });
    await enqueue(trx, mailJob(added, { place: lastPlace }));
  }
  await mail.update({ reminders_due: reminder });
  return undefined;
}
