import type { Knex } from 'knex';
import { inTransaction } from '../../db/transaction.js';
import { enqueue } from '../../jobs/job.js';
import { attemptEach } from '../../jobs/repeating-tasks.js';
import { countMails, type MailBudgets, permitMail, startOfWindow } from './mail-budgets.js';
import {
  type BudgetOwner,
  lockSignatureRequest,
  recordSendFailure,
  sendJob,
} from './signature-requests.js';
import type { RequestMail } from './signing-links.js';

/** How many requests of a firm are released at once, so that those of other firms wait for few of them. */
const RELEASED_AT_ONCE = 50;

/** A mail of a request that waits. */
interface WaitingMail extends RequestMail {
  readonly firmId: string;
  readonly customerId: string;
  /** Its place among the waiting mails of its firm, from 0. */
  readonly place: number;
}

/**
 * Sends waiting requests whose budgets have room again: those of each firm in the order of their age (D-36).
 * One that fails is left to its job, so that later ones do not wait for it.
 *
 * @throws AggregateError that names the customers whose requests failed, once all others are released
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
          await inTransaction(knex, (trx) => leaveToJob(trx, mail, error));
          throw error;
        },
      );
      if (owner === 'firm') firmsWithoutRoom.add(mail.firmId);
    },
  );
}

/** Returns the owner of the budget that a request still waits for, if it does. */
async function release(
  trx: Knex.Transaction,
  mail: WaitingMail,
  budgets: MailBudgets,
  now: Date,
): Promise<BudgetOwner | undefined> {
  // Another process may have released it already.
  const request = await lockSignatureRequest(trx, mail.requestId);
  if (!request?.waitsFor) return undefined;
  const permission = await permitMail(trx, mail, budgets, now);
  if (permission.may === 'send') await enqueue(trx, { ...sendJob(mail), priority: mail.place });
  return permission.may === 'wait' ? permission.owner : undefined;
}

async function leaveToJob(trx: Knex.Transaction, mail: WaitingMail, error: unknown): Promise<void> {
  const failures = await recordSendFailure(trx, mail, null, error);
  if (failures !== undefined) await enqueue(trx, { ...sendJob(mail), priority: mail.place });
}

/**
 * Returns the oldest waiting mails of each firm, without those whose customer or address has no budget left.
 * Those that wait for the firm are never left out: newer ones wait behind them until they wait for another
 * budget.
 */
async function waitingMails(knex: Knex, budgets: MailBudgets, now: Date): Promise<WaitingMail[]> {
  const { rows } = await knex.raw<{ rows: WaitingMail[] }>(
    `select * from (
       select r.id as "requestId", r.delivery, r.firm_id as "firmId", r.customer_id as "customerId",
              (row_number() over (partition by r.firm_id order by r.created_on, r.id) - 1)::int as place
         from signature_requests r join customers c on c.id = r.customer_id
        where r.waits_for is not null
          and (r.waits_for = 'firm'
               or ${countMails('m.customer_id = r.customer_id')} < :customer
                  and ${countMails(`mailbox_of(m.address) = mailbox_of(c.contact_email)`)} < :address)) mails
      where place < :limit order by "firmId", place`,
    {
      customer: budgets.customer,
      address: budgets.address,
      since: startOfWindow(now),
      limit: RELEASED_AT_ONCE,
    },
  );
  return rows;
}
