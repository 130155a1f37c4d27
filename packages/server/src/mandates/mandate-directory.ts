import type { Mandate, MandateStatus } from '@adx/contract';
import type { Knex } from 'knex';
import type { MandateKind } from './lifecycle.js';
import { type MandateRecord, mandateColumns, namesOfMandate, toMandate } from './mandate-record.js';
import type { Actor } from './mandate-steps.js';

/** A mandate as the operator sees it: with its firm, and also when it is closed. */
export type ListedMandate = Mandate & {
  readonly firmId: string;
  /** The latest request to sign it: mandates with the same one were asked for in one message. */
  readonly signatureRequestId?: string;
  readonly closedOn?: Date;
};

/** Which mandates to list; what is absent does not matter. */
interface ListedMandates {
  readonly firmId?: string;
  readonly statuses?: readonly MandateStatus[];
  /** Those that are closed, instead of those that are not. */
  readonly closed: boolean;
}

type ListedRecord = MandateRecord & {
  readonly firm_id: string;
  readonly signature_request_id: string | null;
  readonly closed_on: Date | null;
};

/** The mandates of all firms, for the operator and never for a user of the interface. */
export function createMandateDirectory(knex: Knex) {
  async function select(condition: string, bindings: readonly Knex.RawBinding[]) {
    const { rows } = await knex.raw<{ rows: ListedRecord[] }>(
      `select ${mandateColumns}, m.firm_id, m.signature_request_id, m.closed_on
         from (select m.*, c.name as customer_name
                 from mandates m join customers c on c.id = m.customer_id) m ${namesOfMandate}
        where ${condition}
        order by m.firm_id, m.customer_name_sort, m.id`,
      [...bindings],
    );
    return rows.map(toListedMandate);
  }

  return {
    /** By firm, customer and age. */
    list: ({ firmId, statuses, closed }: ListedMandates): Promise<ListedMandate[]> =>
      select(
        `m.closed_on is ${closed ? 'not null' : 'null'}
         and m.firm_id = coalesce(?, m.firm_id) and m.status = any(coalesce(?, array[m.status]))`,
        [firmId ?? null, statuses ? [...statuses] : null],
      ),

    async find(id: string): Promise<ListedMandate | undefined> {
      const [mandate] = await select('m.id = ?', [id]);
      return mandate;
    },
  };
}

function toListedMandate(record: ListedRecord): ListedMandate {
  const { firm_id: firmId, signature_request_id: requestId, closed_on: closedOn } = record;
  return {
    ...toMandate(record),
    firmId,
    ...(requestId !== null && { signatureRequestId: requestId }),
    ...(closedOn !== null && { closedOn }),
  };
}

/** The kind that the lifecycle knows a mandate by. */
export function kindOf(mandate: Mandate): MandateKind {
  if (mandate.product === 'CODB') return 'codb';
  return mandate.connectorId === undefined ? 'coda' : 'lightConnector';
}

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
