import type { MandateStatus } from '@adx/contract';
import type { Knex } from 'knex';
import type { Actor } from './actor.js';

/** What happened to a mandate, once. */
export interface HistoryEntry {
  readonly happenedOn: Date;
  /** None when the mandate began. */
  readonly from: MandateStatus | null;
  /** None when it was closed. */
  readonly to: MandateStatus | null;
  readonly trigger: string;
  readonly by: Actor['kind'];
  /** The username, or the name with which was signed. */
  readonly name: string | null;
}

/** A request to sign a mandate, with the proof of its answer. */
export interface RequestedSignature {
  readonly id: string;
  readonly createdOn: Date;
  readonly sentOn: Date | null;
  /** The e-mail address it was last sent to. */
  readonly sentTo: string | null;
  readonly expiresOn: Date | null;
  readonly answer: 'signed' | 'declined' | null;
  readonly answeredOn: Date | null;
  /** Whether the answer was for this mandate too: it may have been closed or requested anew before. */
  readonly isAnswered: boolean;
  readonly signerName: string | null;
  readonly signerAddress: string | null;
  readonly signerUserAgent: string | null;
}

/** Everything that happened to a mandate, the oldest first. */
export async function readHistory(knex: Knex, mandateId: string): Promise<HistoryEntry[]> {
  const { rows } = await knex.raw<{ rows: HistoryEntry[] }>(
    `select h.happened_on as "happenedOn", h.from_status as "from", h.to_status as "to", h.trigger,
            h.actor as "by", coalesce(u.username, r.signer_name) as "name"
       from mandate_history h
       left join users u on h.actor = 'user' and u.id = h.actor_id
       left join signature_requests r on h.actor = 'signer' and r.id = h.actor_id
      where h.mandate_id = ?
      order by h.id`,
    [mandateId],
  );
  return rows;
}

/** Every request to sign a mandate, the oldest first. */
export async function readRequests(knex: Knex, mandateId: string): Promise<RequestedSignature[]> {
  const { rows } = await knex.raw<{ rows: RequestedSignature[] }>(
    `select r.id, r.created_on as "createdOn", r.sent_on as "sentOn", r.sent_to as "sentTo",
            r.expires_on as "expiresOn", r.answer, r.answered_on as "answeredOn", asked.is_answered as "isAnswered",
            r.signer_name as "signerName", r.signer_address as "signerAddress",
            r.signer_user_agent as "signerUserAgent"
       from asked_mandates asked
       join signature_requests r on r.id = asked.request_id
      where asked.mandate_id = ?
      order by r.id`,
    [mandateId],
  );
  return rows;
}

/** To whom requests to sign a mandate are sent: the contact of its customer, as it is now. */
export async function readContact(
  knex: Knex,
  mandateId: string,
): Promise<{ name: string; email: string } | undefined> {
  return knex('mandates as m')
    .join('customers as c', 'c.id', 'm.customer_id')
    .where('m.id', mandateId)
    .first<{ name: string; email: string } | undefined>({
      name: 'c.contact_name',
      email: 'c.contact_email',
    });
}
