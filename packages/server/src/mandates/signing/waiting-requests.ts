import type { Knex } from 'knex';
import { inTransaction } from '../../db/transaction.js';
import { enqueue } from '../../jobs/job.js';
import {
  countMails,
  type MailBudgets,
  mailboxOf,
  permitMail,
  startOfWindow,
} from './mail-budgets.js';
import { type MailToSend, sendJob } from './signature-requests.js';

/** How many requests of a firm are released at once, so that those of other firms wait for few of them. */
const RELEASED_AT_ONCE = 50;

/** Sends waiting requests whose budgets have room again: those of each firm in the order of their age (D-36). */
export async function releaseRequests(
  knex: Knex,
  budgets: MailBudgets,
  now: () => Date,
): Promise<void> {
  const firmIds = await knex('signature_requests')
    .whereNotNull('waits_for')
    .distinct()
    .pluck<string[]>('firm_id');
  const failures: unknown[] = [];
  for (const firmId of firmIds) {
    await releaseRequestsOf(knex, firmId, budgets, now).catch((error: unknown) =>
      failures.push(error),
    );
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some requests were not released');
}

async function releaseRequestsOf(
  knex: Knex,
  firmId: string,
  budgets: MailBudgets,
  now: () => Date,
): Promise<void> {
  const mails = await waitingMails(knex, firmId, budgets, now());
  for (const [priority, mail] of mails.entries()) {
    const owner = await inTransaction(knex, async (trx) => {
      // Another process may have released it already.
      const waiting = await trx('signature_requests')
        .where({ id: mail.requestId })
        .whereNotNull('waits_for')
        .forNoKeyUpdate()
        .first('id');
      if (waiting === undefined) return undefined;
      const permission = await permitMail(trx, mail, budgets, now());
      if (permission.may === 'send') await enqueue(trx, { ...sendJob(mail), priority });
      return permission.may === 'wait' ? permission.owner : undefined;
    });
    if (owner === 'firm') return;
  }
}

/**
 * Returns the oldest waiting mails, without those whose customer or address has no budget left. Those that
 * wait for the firm are never left out: newer ones wait behind them until they wait for another budget.
 */
async function waitingMails(
  knex: Knex,
  firmId: string,
  budgets: MailBudgets,
  now: Date,
): Promise<MailToSend[]> {
  const { rows } = await knex.raw<{ rows: MailToSend[] }>(
    `select r.id as "requestId", r.delivery, r.renews_until is not null as "isRenewal"
       from signature_requests r join customers c on c.id = r.customer_id
      where r.firm_id = :firmId and r.waits_for is not null
        and (r.waits_for = 'firm'
             or ${countMails('m.customer_id = r.customer_id')} < :customer
                and ${countMails(`${mailboxOf('m.address')} = ${mailboxOf('c.contact_email')}`)} < :address)
      order by r.created_on, r.id limit :limit`,
    {
      ...{ firmId, customer: budgets.customer, address: budgets.address },
      ...{ since: startOfWindow(now), limit: RELEASED_AT_ONCE },
    },
  );
  return rows;
}
