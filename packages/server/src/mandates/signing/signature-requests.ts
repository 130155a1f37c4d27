import type { Knex } from 'knex';
import { ApiError } from '../../api/api-error.js';
import { newObjectId } from '../../identifiers/object-id.js';
import type { Principal } from '../../identity/principal.js';
import { enqueue, type Job } from '../../jobs/job.js';
import { signingPeriodJob } from '../mandate-jobs.js';
import { visibleMandates } from '../mandate-record.js';
import { applyStep, IllegalStep } from '../mandate-steps.js';
import { lockOpenMandates } from '../open-mandates.js';

/** A request to sign, as its steps need it. */
interface SignatureRequest {
  readonly id: string;
  readonly customerId: string;
  /** Counts the addresses it was sent to (D-14). */
  readonly delivery: number;
  readonly sentOn: Date | null;
  readonly expiresOn: Date | null;
  readonly answer: 'signed' | 'declined' | null;
}

/** More than `MAIL_ATTEMPTS` allows: the others are for workers that die and databases that fail. */
const ATTEMPTS = 40;

/** What is asked of the contact of a customer. */
interface NewSignatureRequest {
  readonly firmId: string;
  readonly customerId: string;
  readonly mandateIds: readonly string[];
  readonly now: Date;
}

/** Asks the contact of a customer to sign some mandates, all in one message. */
export async function requestSignature(
  trx: Knex.Transaction,
  { firmId, customerId, mandateIds, now }: NewSignatureRequest,
): Promise<void> {
  const id = newObjectId();
  await trx('signature_requests').insert({
    id,
    firm_id: firmId,
    customer_id: customerId,
    created_on: now,
  });
  await trx('asked_mandates').insert(
    mandateIds.map((mandate_id) => ({ request_id: id, mandate_id })),
  );
  await trx('mandates').whereIn('id', mandateIds).update({ signature_request_id: id });
  await enqueue(trx, deliveryJob(id, 1));
}

/** Sends what a customer's contact has not answered to the contact's new address (D-14). */
export async function resendSignatureRequests(
  trx: Knex.Transaction,
  customerId: string,
): Promise<void> {
  const { rows } = await trx.raw<{ rows: { id: string; delivery: number }[] }>(
    `with pending as (
       select r.id from signature_requests r
        where r.customer_id = ? and r.answer is null
          and exists (select 1 from mandates m
                       where m.signature_request_id = r.id and m.closed_on is null
                         and m.status in ('created', 'waitingForSigner'))
        order by r.id for no key update)
     update signature_requests r set delivery = r.delivery + 1, failed_sendings = 0
       from pending where r.id = pending.id
     returning r.id, r.delivery`,
    [customerId],
  );
  for (const { id, delivery } of rows) await enqueue(trx, deliveryJob(id, delivery));
}

/** Counts a sending that has failed; answers how many have, none when it is sent to another address. */
export async function countFailedSending(
  knex: Knex,
  id: string,
  delivery: number,
): Promise<number | undefined> {
  const [row] = await knex('signature_requests')
    .where({ id, delivery })
    .increment('failed_sendings')
    .returning<{ failed_sendings: number }[]>('failed_sendings');
  return row?.failed_sendings;
}

/** One sending of a request that has succeeded. */
export interface Sending {
  /** The e-mail address. */
  readonly to: string;
  readonly now: Date;
  /** End of the time to sign, where the sending is the first one. */
  readonly expiresOn: Date;
}

/** Records that a request, which the transaction holds, was sent; the first time begins the time to sign. */
export async function recordSending(
  trx: Knex.Transaction,
  { id, sentOn }: Pick<SignatureRequest, 'id' | 'sentOn'>,
  { to, now, expiresOn }: Sending,
): Promise<void> {
  const isFirst = sentOn === null;
  await trx('signature_requests')
    .where({ id })
    .update({ sent_to: to, ...(isFirst && { sent_on: now, expires_on: expiresOn }) });
  if (isFirst) await enqueue(trx, signingPeriodJob(id, expiresOn));
}

/**
 * Locks a request until the transaction ends; always before its mandates.
 *
 * The customer is locked first, as a foreign key locks it, which keeps no change of it waiting. When
 * the transaction updates a mandate twice, PostgreSQL checks the mandate's foreign keys again, and that
 * check would wait for a change of the customer that in turn waits for the request.
 */
export async function lockSignatureRequest(
  trx: Knex.Transaction,
  id: string,
): Promise<SignatureRequest | undefined> {
  const { rows } = await trx.raw<{ rows: SignatureRequest[] }>(
    `select r.id, r.customer_id as "customerId", r.delivery, r.sent_on as "sentOn",
            r.expires_on as "expiresOn", r.answer
       from signature_requests r join customers c on c.id = r.customer_id
      where r.id = ? for key share of c for no key update of r`,
    [id],
  );
  return rows[0];
}

/** Sends a request to the address that the delivery counts. */
function deliveryJob(requestId: string, delivery: number): Job {
  return {
    task: 'sendSignatureRequest',
    payload: { requestId, delivery },
    key: `sendSignatureRequest:${requestId}:${delivery}`,
    maxAttempts: ATTEMPTS,
  };
}

/**
 * Asks the contact once more to sign a mandate that would be a dead end otherwise. Of several
 * requests at the same time one is granted: the others wait for it and find the mandate `created`.
 *
 * @throws ApiError `notFound` when the principal sees no such mandate, `mandateNotRequestable`
 */
export async function requestAgain(
  trx: Knex.Transaction,
  principal: Principal,
  mandateId: string,
  now: Date,
): Promise<void> {
  await holdCustomer(trx, principal, mandateId);
  const [mandate] = await lockOpenMandates(trx, { id: mandateId });
  if (mandate === undefined) throw new ApiError('notFound');
  const { firmId, customerId } = mandate;
  try {
    const { userId } = principal;
    await applyStep(trx, [mandate], { trigger: 'requested', actor: { kind: 'user', userId }, now });
  } catch (error) {
    if (error instanceof IllegalStep) throw new ApiError('mandateNotRequestable');
    throw error;
  }
  await requestSignature(trx, { firmId, customerId, mandateIds: [mandateId], now });
}

/**
 * Holds the customer before its mandate, as changes of customers do: a new address that is being
 * recorded is either that of the new request, or the request is sent to it again (D-14).
 */
async function holdCustomer(
  trx: Knex.Transaction,
  principal: Principal,
  mandateId: string,
): Promise<void> {
  const visible = visibleMandates(principal);
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `select m.id ${visible.sql} and m.id = ? for no key update of c`,
    [...visible.bindings, mandateId],
  );
  if (rows.length === 0) throw new ApiError('notFound');
}
