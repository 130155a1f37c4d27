import type { MandateStatus } from '@adx/contract';
import type { Knex } from 'knex';
import { readRecord, readRecords } from '../api/paging.js';
import { condition, fragment, isOneOf } from '../api/sql-fragment.js';
import type { OperatorScope } from '../identity/principal.js';
import type { LifecycleStatus } from './lifecycle.js';
import { type ListedMandate, listedMandatesOf } from './mandate-record.js';
import type { Actor } from './mandate-steps.js';
import { type BudgetOwner, messageIdOf, type OutgoingMail } from './signing/outgoing-mails.js';

interface ListedFilters {
  readonly iban?: string | undefined;
  readonly statuses?: readonly MandateStatus[] | undefined;
  readonly closed?: boolean;
  /** The instant before which the latest signature request was made, if it has no answer. */
  readonly unansweredSince?: Date | undefined;
  /** True for those whose bank now has another light connector, or one where they have none. */
  readonly otherConnector?: boolean;
  readonly contested?: boolean;
}

/** Returns the open mandates or the closed ones, ordered by firm, customer and age. */
export function listMandates(
  knex: Knex,
  operator: OperatorScope,
  { iban, statuses, closed = false, unansweredSince, ...only }: ListedFilters,
): Promise<ListedMandate[]> {
  const { otherConnector = false, contested = false } = only;
  const filters = [
    fragment(`m.closed_on is ${closed ? 'not null' : 'null'}`),
    ...condition('m.iban = ?', iban),
    ...(statuses === undefined ? [] : [isOneOf('m.status', statuses)]),
    ...condition(
      'r.answer is null and r.created_on < ?::timestamptz',
      unansweredSince?.toISOString(),
    ),
    ...(otherConnector ? [fragment('m.connector_id is distinct from b.connector_id')] : []),
    ...(contested ? [fragment('m.is_contested')] : []),
  ];
  return readRecords(knex, listedMandatesOf(operator), filters);
}

export function findMandate(
  knex: Knex,
  operator: OperatorScope,
  id: string,
): Promise<ListedMandate | undefined> {
  return readRecord(knex, listedMandatesOf(operator), id);
}

/** A mandate with its signature requests and its history, each oldest first. */
export type ShownMandate = ListedMandate & {
  /** The current contact of the customer, to whom signature requests are sent. */
  readonly contact: Contact | undefined;
  readonly signatureRequests: readonly RequestedSignature[];
  readonly history: readonly HistoryEntry[];
};

interface Contact {
  readonly name: string;
  readonly email: string;
}

export async function showMandate(
  knex: Knex,
  operator: OperatorScope,
  id: string,
): Promise<ShownMandate | undefined> {
  const mandate = await findMandate(knex, operator, id);
  return (
    mandate && {
      ...mandate,
      contact: await readContact(knex, id),
      signatureRequests: await readRequests(knex, id),
      history: await readHistory(knex, id),
    }
  );
}

export interface HistoryEntry {
  readonly happenedOn: Date;
  /** Null for a new mandate. */
  readonly from: LifecycleStatus | null;
  /** Null for a mandate that was closed. */
  readonly to: LifecycleStatus | null;
  readonly trigger: string;
  readonly by: Actor['kind'];
  /** The username, or the signer's name. */
  readonly name: string | null;
}

export interface RequestedSignature {
  readonly id: string;
  /** The `Message-ID` of its mail to the last address, sent or not, without `@` and host name. */
  readonly messageId: string;
  readonly createdOn: Date;
  readonly sentOn: Date | null;
  readonly sentTo: string | null;
  /** The failures of the mail to the latest address of the contact. */
  readonly sendFailures: number;
  readonly lastFailure: string | null;
  readonly failedTo: string | null;
  /** The owner of the used-up budget of mails that it waits for (D-36). */
  readonly waitsFor: BudgetOwner | null;
  readonly expiresOn: Date | null;
  readonly remindedOn: readonly Date[];
  /** `declined` for a mandate that the contact excluded from a signature. */
  readonly answer: 'signed' | 'declined' | null;
  readonly answeredOn: Date | null;
  /** False if the answer excludes this mandate, because it had been closed or requested again. */
  readonly isAnswered: boolean;
  readonly signerName: string | null;
  readonly signerAddress: string | null;
  readonly signerUserAgent: string | null;
  readonly evidenceMails: readonly SentEvidence[];
}

/** A mail with the evidence of an answer (D-37). */
export interface SentEvidence
  extends Pick<OutgoingMail, 'requestId' | 'address' | 'sentOn' | 'failures' | 'lastFailure'> {
  readonly recipient: 'signer' | 'firm';
}

async function readHistory(knex: Knex, mandateId: string): Promise<HistoryEntry[]> {
  const { rows } = await knex.raw<{ rows: HistoryEntry[] }>(
    `select h.happened_on as "happenedOn", h.from_status as "from", h.to_status as "to", h.trigger,
            h.actor as "by", coalesce(u.username, r.signer_name) as "name"
       from mandate_history h
       left join users u on h.actor = 'user' and u.id = h.actor_id and u.firm_id = h.firm_id
       left join signature_requests r
         on h.actor = 'signer' and r.id = h.actor_id and r.firm_id = h.firm_id
      where h.mandate_id = ?
      order by h.id`,
    [mandateId],
  );
  return rows;
}

async function readRequests(knex: Knex, mandateId: string): Promise<RequestedSignature[]> {
  type Row = Omit<RequestedSignature, 'messageId' | 'evidenceMails'> & {
    readonly delivery: number;
  };
  const evidenceMails = await readEvidenceMails(knex, mandateId);
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select r.id, r.delivery, r.created_on as "createdOn", r.sent_on as "sentOn", r.sent_to as "sentTo",
            last.failures as "sendFailures", last.last_failure as "lastFailure",
            case when last.failures > 0 then last.address end as "failedTo",
            last.waits_for as "waitsFor", r.expires_on as "expiresOn",
            array(select m.sent_on from outgoing_mails m
                   where m.request_id = r.id and m.firm_id = r.firm_id and m.kind = 'reminder' and m.sent_on is not null
                   order by m.sent_on) as "remindedOn",
            case when asked.is_declined then 'declined' else r.answer end as answer,
            r.answered_on as "answeredOn", asked.is_answered as "isAnswered",
            r.signer_name as "signerName", r.signer_address as "signerAddress",
            r.signer_user_agent as "signerUserAgent"
       from asked_mandates asked
       join signature_requests r on r.id = asked.request_id and r.firm_id = asked.firm_id
      cross join lateral (
            select * from outgoing_mails m
             where m.request_id = r.id and m.firm_id = r.firm_id and m.delivery = r.delivery
               and m.kind in ('request', 'reminder')
             order by m.reminder desc limit 1) last
      where asked.mandate_id = ?
      order by r.id`,
    [mandateId],
  );
  return rows.map(({ delivery, ...request }) => ({
    ...request,
    messageId: messageIdOf({ requestId: request.id, delivery }),
    evidenceMails: evidenceMails.filter(({ requestId }) => requestId === request.id),
  }));
}

async function readEvidenceMails(knex: Knex, mandateId: string): Promise<SentEvidence[]> {
  const { rows } = await knex.raw<{ rows: SentEvidence[] }>(
    `select m.request_id as "requestId",
            case m.kind when 'evidence' then 'firm' else 'signer' end as recipient,
            m.address, m.sent_on as "sentOn", m.failures, m.last_failure as "lastFailure"
       from asked_mandates asked
       join outgoing_mails m on m.request_id = asked.request_id and m.firm_id = asked.firm_id
      where asked.mandate_id = ? and m.kind in ('confirmation', 'evidence')
      order by m.kind`,
    [mandateId],
  );
  return rows;
}

async function readContact(knex: Knex, mandateId: string): Promise<Contact | undefined> {
  return knex('mandates as m')
    .join('customers as c', { 'c.id': 'm.customer_id', 'c.firm_id': 'm.firm_id' })
    .where('m.id', mandateId)
    .first<Contact | undefined>({ name: 'c.contact_name', email: 'c.contact_email' });
}
