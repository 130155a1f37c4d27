import type { Knex } from 'knex';
import { newObjectId } from '../../identifiers/object-id.js';
import type { Principal } from '../../identity/principal.js';
import { enqueue, lastPlace } from '../../jobs/job.js';
import { lifecycleStatusSql, nextStatus, unansweredStatuses } from '../lifecycle.js';
import { signingPeriodJob } from '../mandate-jobs.js';
import { mandatesOf } from '../mandate-record.js';
import { applyStep, endIfOver } from '../mandate-steps.js';
import { lockOpenMandates, type OpenMandate } from '../open-mandates.js';
import { addMail, mailJob, type OutgoingMail } from './outgoing-mails.js';

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
}

/**
 * How long a changed address has to stay the same before it gets the request, in ms: of several
 * changes in a row only the last address gets a mail (D-36).
 */
const SETTLING_MS = 30_000;

interface RequestedFrom extends Pick<OpenMandate, 'firmId' | 'customerId'> {
  /** The last day of the consents that it renews, `YYYY-MM-DD`. */
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
    mandateIds.map((mandate_id) => ({ firm_id: firmId, request_id: id, mandate_id })),
  );
  await trx('mandates')
    .where({ firm_id: firmId })
    .whereIn('id', mandateIds)
    .update({ signature_request_id: id });
  const place = await countUnsent(trx, firmId);
  const mail = await addMail(trx, { kind: 'request', requestId: id, firmId, customerId });
  await enqueue(trx, mailJob(mail, { place }));
}

/**
 * Counts the signature requests of a firm whose mail is in the queue, at most `lastPlace`. It is
 * the place of the next one, so that the mails of firms take turns (D-67).
 */
async function countUnsent(trx: Knex.Transaction, firmId: string): Promise<number> {
  const { rows } = await trx.raw<{ rows: { count: number }[] }>(
    `select count(*)::int as count from (
       select from outgoing_mails m
         join signature_requests r
           on r.id = m.request_id and r.firm_id = m.firm_id and r.delivery = m.delivery
        where m.firm_id = ? and m.kind = 'request' and m.sent_on is null and m.waits_for is null
          and r.answer is null and ${isPending}
        limit ${lastPlace}) unsent`,
    [firmId, [...unansweredStatuses]],
  );
  return rows[0]?.count ?? 0;
}

/** The SQL condition that a mandate of request `r` has one of `unansweredStatuses`, the binding. */
const isPending = `exists (select 1 from mandates m
                     where m.signature_request_id = r.id and m.firm_id = r.firm_id
                       and m.closed_on is null
                       and ${lifecycleStatusSql} = any(?))`;

/**
 * Sends the unanswered signature requests of a customer to the new address of its contact (D-14).
 * An address that a request was sent to before, in upper or lower case, gets no second mail: its
 * number is used again, and with it its signing URL works again (D-36).
 */
export async function resendSignatureRequests(
  trx: Knex.Transaction,
  customer: Pick<OpenMandate, 'firmId' | 'customerId'>,
): Promise<void> {
  const { firmId } = customer;
  const ids = await lockPendingRequests(trx, customer);
  if (ids.length === 0) return;
  const { rows } = await trx.raw<{ rows: Pick<OutgoingMail, 'requestId' | 'delivery'>[] }>(
    `update signature_requests r
        set delivery = coalesce(
              (select max(m.delivery) from outgoing_mails m
                where m.request_id = r.id and m.firm_id = r.firm_id and m.kind = 'request'
                  and lower(m.address) = lower(c.contact_email)),
              1 + greatest(r.delivery,
                    (select max(m.delivery) from outgoing_mails m
                      where m.request_id = r.id and m.firm_id = r.firm_id and m.kind = 'request')))
       from customers c
      where c.id = r.customer_id and c.firm_id = r.firm_id and r.id = any(?) and r.firm_id = ?
     returning r.id as "requestId", r.delivery`,
    [ids, firmId],
  );
  await trx.raw(
    `delete from outgoing_mails m using signature_requests r
      where r.id = any(:ids) and r.firm_id = :firmId and m.firm_id = :firmId and m.request_id = r.id
        and m.kind = 'request' and m.delivery <> r.delivery and m.allowed_on is null`,
    { ids, firmId },
  );
  await trx('outgoing_mails')
    .where({ firm_id: firmId })
    .whereIn('request_id', ids)
    .update({ waits_for: null });
  const place = await countUnsent(trx, firmId);
  for (const mail of rows) {
    const added = await addMail(trx, { kind: 'request', ...customer, ...mail });
    await enqueue(trx, mailJob(added, { afterMs: SETTLING_MS, place }));
  }
}

async function lockPendingRequests(
  trx: Knex.Transaction,
  { firmId, customerId }: Pick<OpenMandate, 'firmId' | 'customerId'>,
): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select r.id from signature_requests r
      where r.firm_id = ? and r.customer_id = ? and r.answer is null and ${isPending}
      order by r.id for no key update`,
    [firmId, customerId, [...unansweredStatuses]],
  );
  return rows.map(({ id }) => id);
}

interface SentRequest {
  readonly to: string;
  readonly now: Date;
  /** The end of the signing period, used for the first mail only. */
  readonly expiresOn: Date;
}

/** Records the mail of a locked request as sent. The first one starts the signing period. */
export async function recordSentRequest(
  trx: Knex.Transaction,
  { id, firmId, sentOn }: Pick<SignatureRequest, 'id' | 'firmId' | 'sentOn'>,
  { to, now, expiresOn }: SentRequest,
): Promise<void> {
  const isFirst = sentOn === null;
  await trx('signature_requests')
    .where({ id, firm_id: firmId })
    .update({ sent_to: to, ...(isFirst && { sent_on: now, expires_on: expiresOn }) });
  if (isFirst) await enqueue(trx, signingPeriodJob({ firmId, requestId: id }, expiresOn));
}

/**
 * Locks a signature request: always before its mandates, and the customer before both, in the mode
 * of foreign keys, which does not block changes of the customer. Otherwise a deadlock is possible:
 * if the transaction updates a mandate twice, PostgreSQL checks the foreign keys of the mandate
 * again, and that check waits for a change of the customer that in turn waits for the request.
 */
export async function lockSignatureRequest(
  trx: Knex.Transaction,
  id: string,
  firmId: string,
): Promise<SignatureRequest | undefined> {
  const { rows } = await trx.raw<{ rows: SignatureRequest[] }>(
    `select r.id, r.firm_id as "firmId", r.customer_id as "customerId", r.created_on as "createdOn",
            r.delivery, r.sent_on as "sentOn", r.expires_on as "expiresOn", r.answer
       from signature_requests r
       join customers c on c.id = r.customer_id and c.firm_id = r.firm_id
      where r.id = ? and r.firm_id = ?
        for key share of c for no key update of r`,
    [id, firmId],
  );
  return rows[0];
}

export interface NotRequestable {
  readonly notRequestable: Pick<OpenMandate, 'kind' | 'status'>;
}

/**
 * Requests a mandate again. Of concurrent calls one succeeds; the others wait for it and then find
 * the mandate `created`, which is not requestable.
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
  const { userId, firmId } = principal;
  const [mandate] = await lockOpenMandates(trx, { id: mandateId }, firmId);
  if (mandate === undefined) return 'notFound';
  // The firm may be faster than the job that ends a consent.
  if (await endIfOver(trx, mandate, now)) return requestAgain(trx, principal, mandateId, now);
  const { kind, status, validUntil } = mandate;
  const trigger = 'requested';
  const next = nextStatus(kind, status, trigger);
  if (next === undefined) return { notRequestable: { kind, status } };
  await applyStep(trx, [mandate], { trigger, actor: { kind: 'user', userId }, now });
  const renewsUntil = next === 'renewalOffered' ? validUntil : null;
  await requestSignature(trx, { ...mandate, renewsUntil }, [mandateId], now);
  return 'requested';
}

/** Locks the customer: a change of its address comes first, or finds the new request (D-14). */
async function lockCustomer(
  trx: Knex.Transaction,
  principal: Principal,
  mandateId: string,
): Promise<boolean> {
  const { from, visible } = mandatesOf(principal);
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `select m.id from ${from} where ${visible.sql} and m.id = ? for no key update of c`,
    [...visible.bindings, mandateId],
  );
  return rows.length > 0;
}
