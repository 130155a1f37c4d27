import type { Knex } from 'knex';
import { newObjectId } from '../../identifiers/object-id.js';
import type { Principal } from '../../identity/principal.js';
import { enqueue, type Job } from '../../jobs/job.js';
import { lifecycleStatusSql, nextStatus, unansweredStatuses } from '../lifecycle.js';
import { signingPeriodJob } from '../mandate-jobs.js';
import { visibleMandates } from '../mandate-record.js';
import { applyStep, endIfOver } from '../mandate-steps.js';
import { lockOpenMandates, type OpenMandate } from '../open-mandates.js';
import type { RequestMail } from './signing-links.js';

/** A signature request. */
export interface SignatureRequest {
  readonly id: string;
  readonly firmId: string;
  readonly customerId: string;
  readonly createdOn: Date;
  /** The number of the contact's address that it is sent to, counted from 1 (D-14). */
  readonly delivery: number;
  readonly sentOn: Date | null;
  readonly expiresOn: Date | null;
  readonly answer: 'signed' | 'declined' | null;
  /** The owner of the budget that is used up, if the request waits for one (D-36). */
  readonly waitsFor: BudgetOwner | null;
}

/** The owner of a budget of mails; `address` is the e-mail address of the contact. */
export type BudgetOwner = 'customer' | 'firm' | 'address';

/**
 * How long the address of a contact has to stay the same before a request is sent to it again, in ms.
 * Each change starts it anew, so of several changes in a row only the last address gets a mail (D-36).
 */
const SETTLING_MS = 30_000;

/**
 * More than `MAIL_ATTEMPTS`, because killed workers and failures of the database use up attempts too, and
 * than there are in the 30 days in which a request can be answered.
 */
export const MAIL_JOB_ATTEMPTS = 150;

/** The customer of a signature request, and the last day of the consents if it renews some. */
interface RequestedFrom extends Pick<OpenMandate, 'firmId' | 'customerId'> {
  readonly renewsUntil?: string | null;
}

/** Asks the contact of a customer to sign mandates, with one mail for all of them. */
export async function requestSignature(
  trx: Knex.Transaction,
  { firmId, customerId, renewsUntil = null }: RequestedFrom,
  mandateIds: readonly string[],
  now: Date,
): Promise<void> {
  const id = newObjectId();
  await trx('signature_requests').insert({
    id,
    firm_id: firmId,
    customer_id: customerId,
    created_on: now,
    renews_until: renewsUntil,
  });
  await trx('asked_mandates').insert(
    mandateIds.map((mandate_id) => ({ request_id: id, mandate_id })),
  );
  await trx('mandates').whereIn('id', mandateIds).update({ signature_request_id: id });
  const priority = await countUnsent(trx, firmId);
  await enqueue(trx, { ...sendJob({ requestId: id, delivery: 1 }), priority });
}

/** The largest priority of a job that sends a request, and that of all that send reminders. */
export const lastPriority = 1000;

/**
 * Counts the requests of a firm whose mail is in the queue, at most `lastPriority`. With it as the priority
 * of the next one, the mails of firms take turns, however many one of them causes at once (D-38).
 */
async function countUnsent(trx: Knex.Transaction, firmId: string): Promise<number> {
  const { rows } = await trx.raw<{ rows: { count: number }[] }>(
    `select count(*)::int as count from (
       select from signature_requests r
        where r.firm_id = ? and (r.sent_on is null or r.delivery > 1)
          and r.answer is null and r.waits_for is null
          and not exists (select from request_mails m
                           where m.request_id = r.id and m.delivery = r.delivery and m.sent_on is not null)
          and ${isPending}
        limit ${lastPriority}) unsent`,
    [firmId, [...unansweredStatuses]],
  );
  return rows[0]?.count ?? 0;
}

/** Matches requests `r` with a mandate that waits for its signature; the binding is `unansweredStatuses`. */
const isPending = `exists (select 1 from mandates m
                     where m.signature_request_id = r.id and m.closed_on is null
                       and ${lifecycleStatusSql} = any(?))`;

/**
 * Sends the unanswered requests of a customer to the new address of its contact (D-14), once it has
 * settled. An address that a request was sent to before, in upper or lower case, gets no second mail: its
 * number is used again, and with it its link works again (D-36).
 */
export async function resendSignatureRequests(
  trx: Knex.Transaction,
  customerId: string,
): Promise<void> {
  const ids = await lockPendingRequests(trx, customerId);
  const { rows } = await trx.raw<{ rows: (RequestMail & { readonly firmId: string })[] }>(
    `update signature_requests r
        set delivery = coalesce(
              (select max(m.delivery) from request_mails m
                where m.request_id = r.id and lower(m.address) = lower(c.contact_email)),
              1 + greatest(r.delivery,
                    (select max(m.delivery) from request_mails m where m.request_id = r.id))),
            failed_sendings = 0, last_failure = null, failed_to = null, waits_for = null
       from customers c
      where c.id = r.customer_id and r.id = any(?)
     returning r.id as "requestId", r.delivery, r.firm_id as "firmId"`,
    [ids],
  );
  const [first] = rows;
  if (first === undefined) return;
  const priority = await countUnsent(trx, first.firmId);
  for (const mail of rows) {
    await enqueue(trx, { ...sendJob(mail), afterMs: SETTLING_MS, priority });
  }
}

/** Locks the requests of a customer that wait for its contact, and returns their ids. */
async function lockPendingRequests(trx: Knex.Transaction, customerId: string): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select r.id from signature_requests r
      where r.customer_id = ? and r.answer is null and ${isPending}
      order by r.id for no key update`,
    [customerId, [...unansweredStatuses]],
  );
  return rows.map(({ id }) => id);
}

/**
 * Records a failure to send the mail of a request, with its reason for the operator. The request no longer
 * waits for a budget.
 *
 * @param failed_to the address of the mail; null if it was not handed to the mail server
 * @returns the number of failures; undefined if the request is now sent to another address
 */
export async function recordSendFailure(
  knex: Knex,
  { requestId, delivery }: RequestMail,
  failed_to: string | null,
  reason: unknown,
): Promise<number | undefined> {
  const last_failure = reason instanceof Error ? reason.message : String(reason);
  const [row] = await knex('signature_requests')
    .where({ id: requestId, delivery })
    .update({
      failed_sendings: knex.raw('failed_sendings + 1'),
      last_failure,
      failed_to,
      waits_for: null,
    })
    .returning<{ failed_sendings: number }[]>('failed_sendings');
  return row?.failed_sendings;
}

/** A mail that was sent. */
export interface SentMail {
  /** The e-mail address of the contact. */
  readonly to: string;
  readonly now: Date;
  /** The end of the signing period, used for the first mail only. */
  readonly expiresOn: Date;
}

/** Records that the mail of a locked request was sent. The first mail starts the signing period. */
export async function recordSentMail(
  trx: Knex.Transaction,
  { id, sentOn }: Pick<SignatureRequest, 'id' | 'sentOn'>,
  { to, now, expiresOn }: SentMail,
): Promise<void> {
  const isFirst = sentOn === null;
  await trx('signature_requests')
    .where({ id })
    .update({ sent_to: to, ...(isFirst && { sent_on: now, expires_on: expiresOn }) });
  if (isFirst) await enqueue(trx, signingPeriodJob(id, expiresOn));
}

/**
 * Locks a request until the transaction ends. Requests are always locked before their mandates.
 *
 * The customer is locked first, in the mode of foreign keys, which does not block changes of the
 * customer. Otherwise a deadlock is possible: if the transaction updates a mandate twice, PostgreSQL
 * checks the foreign keys of the mandate again, and that check waits for a change of the customer
 * that in turn waits for the request.
 */
export async function lockSignatureRequest(
  trx: Knex.Transaction,
  id: string,
): Promise<SignatureRequest | undefined> {
  const { rows } = await trx.raw<{ rows: SignatureRequest[] }>(
    `select r.id, r.firm_id as "firmId", r.customer_id as "customerId", r.created_on as "createdOn",
            r.delivery, r.sent_on as "sentOn", r.expires_on as "expiresOn", r.answer,
            r.waits_for as "waitsFor"
       from signature_requests r join customers c on c.id = r.customer_id
      where r.id = ? for key share of c for no key update of r`,
    [id],
  );
  return rows[0];
}

/** Creates the job that sends a request to the address with this number. */
export function sendJob({ requestId, delivery }: RequestMail): Job {
  return {
    task: 'sendSignatureRequest',
    payload: { requestId, delivery },
    key: `sendSignatureRequest:${requestId}:${delivery}`,
    maxAttempts: MAIL_JOB_ATTEMPTS,
  };
}

/** A mandate whose status does not allow a new request. */
export interface NotRequestable {
  readonly notRequestable: Pick<OpenMandate, 'kind' | 'status'>;
}

/**
 * Requests the signature of a mandate again, for example after it has expired. Of concurrent calls one
 * succeeds; the others wait for it and then find the mandate `created`, which is not requestable.
 *
 * @returns `'notFound'` if the principal sees no such mandate
 */
export async function requestAgain(
  trx: Knex.Transaction,
  principal: Principal,
  mandateId: string,
  now: Date,
): Promise<'requested' | NotRequestable | 'notFound'> {
  if (!(await lockCustomer(trx, principal, mandateId))) return 'notFound';
  const [mandate] = await lockOpenMandates(trx, { id: mandateId });
  if (mandate === undefined) return 'notFound';
  // The firm may be faster than the job that ends a consent.
  if (await endIfOver(trx, mandate, now)) return requestAgain(trx, principal, mandateId, now);
  const { kind, status, validUntil } = mandate;
  const trigger = 'requested';
  const next = nextStatus(kind, status, trigger);
  if (next === undefined) return { notRequestable: { kind, status } };
  const { userId } = principal;
  await applyStep(trx, [mandate], { trigger, actor: { kind: 'user', userId }, now });
  const renewsUntil = next === 'renewalOffered' ? validUntil : null;
  await requestSignature(trx, { ...mandate, renewsUntil }, [mandateId], now);
  return 'requested';
}

/**
 * Locks the customer before its mandate, as changes of customers do. So a concurrent change of the
 * address either comes first, or finds the new request and sends it again (D-14).
 */
async function lockCustomer(
  trx: Knex.Transaction,
  principal: Principal,
  mandateId: string,
): Promise<boolean> {
  const visible = visibleMandates(principal);
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `select m.id ${visible.sql} and m.id = ? for no key update of c`,
    [...visible.bindings, mandateId],
  );
  return rows.length > 0;
}
