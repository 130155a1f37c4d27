/**
 * The budgets of mails (D-36): how many mails with signature requests a customer and a firm may
 * cause within 24 hours, and how many an address may get from all of them. Mails beyond a budget
 * wait, the oldest request first.
 */

import type { Knex } from 'knex';
import { DAY } from '../../dates/brussels-day.js';
import { lockFirm } from '../../db/firms.js';
import { type BudgetOwner, findMail, type OutgoingMail } from './outgoing-mails.js';
import { pendingMandates, type RequestDetails, readRequestDetails } from './request-details.js';
import { lockSignatureRequest, type SignatureRequest } from './signature-requests.js';

/** The numbers of mails in 24 hours. */
export type MailBudgets = Readonly<Record<BudgetOwner, number>>;

export type Permission =
  | {
      readonly may: 'send';
      readonly request: RequestDetails;
      /** When the address got the mail, if it has it already. */
      readonly sentOn: Date | null;
    }
  | { readonly may: 'wait'; readonly owner: BudgetOwner }
  /** The address has changed, the request is answered or expired, or no mandate is left to sign. */
  | { readonly may: 'drop' };

/**
 * Decides whether the mail of a signature request may be sent now, and counts it in the budgets:
 * once, however often it is sent. If the firm is disabled, it waits as for the budget of the firm
 * (D-60).
 */
export async function permitMail(
  trx: Knex.Transaction,
  {
    id,
    requestId,
    firmId,
    delivery,
  }: Pick<OutgoingMail, 'id' | 'requestId' | 'firmId' | 'delivery'>,
  budgets: MailBudgets,
  now: Date,
): Promise<Permission> {
  const locked = await lockSignatureRequest(trx, requestId, firmId);
  const mail = await findMail(trx, { id, firmId });
  if (mail === undefined || locked?.delivery !== delivery) return { may: 'drop' };
  const change = async (columns: Readonly<Record<string, unknown>>) => {
    await trx('outgoing_mails').where({ id, firm_id: firmId }).update(columns);
  };
  const setWaiting = async (owner: BudgetOwner | null) => {
    if (mail.waitsFor !== owner) await change({ waits_for: owner });
  };
  const request = await readRequestDetails(trx, { requestId, firmId });
  if (request === undefined || !isDue(request, now)) {
    await setWaiting(null);
    return { may: 'drop' };
  }
  if (request.isFirmDisabled && mail.sentOn === null) {
    await setWaiting('firm');
    return { may: 'wait', owner: 'firm' };
  }
  if (mail.allowedOn !== null) {
    await setWaiting(null);
    return { may: 'send', request, sentOn: mail.sentOn };
  }
  const owner = await usedUpBudget(trx, locked, request.contactEmail, budgets, now);
  if (owner !== undefined) {
    await setWaiting(owner);
    return { may: 'wait', owner };
  }
  await change({ waits_for: null, address: request.contactEmail, allowed_on: now });
  return { may: 'send', request, sentOn: null };
}

export function isDue(request: RequestDetails, now: Date): boolean {
  if (request.expiresOn !== null && request.expiresOn <= now) return false;
  return request.answer === null && pendingMandates(request).length > 0;
}

/**
 * Returns the owner of a budget that is used up, or that an older request of the firm waits for.
 * Until the transaction ends, no other mail of the firm or to the address is counted.
 */
export async function usedUpBudget(
  trx: Knex.Transaction,
  {
    id,
    firmId,
    customerId,
    createdOn,
  }: Pick<SignatureRequest, 'id' | 'firmId' | 'customerId' | 'createdOn'>,
  address: string,
  budgets: MailBudgets,
  now: Date,
): Promise<BudgetOwner | undefined> {
  await lockFirm(trx, firmId);
  await trx.raw(`select pg_advisory_xact_lock(hashtextextended(mailbox_of(?), 0))`, [address]);
  const { rows } = await trx.raw<{ rows: { owner: BudgetOwner }[] }>(
    `select owner from (values
         (1, 'customer', ${countMails('m.customer_id = :customerId and m.firm_id = :firmId')} >= :customer),
         (2, 'firm', ${countMails('m.firm_id = :firmId')} >= :firm),
         (3, 'address', ${countMails(`mailbox_of(m.address) = mailbox_of(:address)`)} >= :perAddress)
       ) as budget (place, owner, is_used_up)
      where is_used_up
         or exists (select from outgoing_mails w
                      join signature_requests r on r.id = w.request_id and r.firm_id = w.firm_id
                     where w.firm_id = :firmId and w.waits_for = owner
                       and (owner = 'firm' or owner = 'customer' and w.customer_id = :customerId)
                       and (r.created_on, r.id) < (:createdOn, :id))
      order by place limit 1`,
    {
      id,
      firmId,
      customerId,
      createdOn,
      address,
      since: startOfWindow(now),
      customer: budgets.customer,
      firm: budgets.firm,
      perAddress: budgets.address,
    },
  );
  return rows[0]?.owner;
}

/** Returns the SQL that counts mails of the last 24 hours; the binding is `startOfWindow`. */
function countMails(condition: string): string {
  return `(select count(*) from outgoing_mails m where ${condition} and m.allowed_on > :since)`;
}

export function startOfWindow(now: Date): Date {
  return new Date(now.getTime() - DAY);
}
