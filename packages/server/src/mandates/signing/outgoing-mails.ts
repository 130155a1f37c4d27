import type { Knex } from 'knex';
import type { Job } from '../../jobs/job.js';

/** A `confirmation` sends the evidence of an answer to the contact, `evidence` to the firm. */
type MailKind = 'request' | 'reminder' | 'confirmation' | 'evidence';

/** The owner of a budget of mails (D-36); `address` is that of the contact. */
export type BudgetOwner = 'customer' | 'firm' | 'address';

export interface OutgoingMail {
  /** Its `Message-ID`, without `@` and host name. */
  readonly id: string;
  readonly kind: MailKind;
  readonly requestId: string;
  readonly firmId: string;
  readonly customerId: string;
  /** The number of the contact's address, counted from 1 (D-14). */
  readonly delivery: number;
  /** The number of a reminder, counted from 1; 0 for other mails. */
  readonly reminder: number;
  /** The address; null if it is not known before the mail may be sent. */
  readonly address: string | null;
  /** The owner of the used-up budget that it waits for. */
  readonly waitsFor: BudgetOwner | null;
  /** When it was counted in the budgets. */
  readonly allowedOn: Date | null;
  /** When the mail server accepted it. */
  readonly sentOn: Date | null;
  readonly failures: number;
  /** The reason of the last failure, for the operator. */
  readonly lastFailure: string | null;
}

export type MailKey = Pick<OutgoingMail, 'id' | 'firmId'>;

type NewMail = Pick<OutgoingMail, 'kind' | 'requestId' | 'firmId' | 'customerId'> &
  Partial<Pick<OutgoingMail, 'delivery' | 'reminder' | 'address' | 'allowedOn'>>;

/** Returns the `Message-ID` without `@` and host name: the same each time the mail is sent. */
export function messageIdOf({
  kind = 'request',
  requestId,
  delivery = 1,
  reminder = 0,
}: Partial<Pick<OutgoingMail, 'kind' | 'delivery' | 'reminder'>> & {
  readonly requestId: string;
}): string {
  if (kind === 'confirmation') return `${requestId}.evidence.signer`;
  if (kind === 'evidence') return `${requestId}.evidence.firm`;
  return `${requestId}.${delivery}${kind === 'reminder' ? `.reminder.${reminder}` : ''}`;
}

/** Adds a mail. One that is there already gets all its attempts again. */
export async function addMail(trx: Knex.Transaction, mail: NewMail): Promise<MailKey> {
  const { kind, requestId, firmId, customerId, delivery = 1, reminder = 0 } = mail;
  const id = messageIdOf(mail);
  await trx('outgoing_mails')
    .insert({
      ...{ id, kind, request_id: requestId, firm_id: firmId, customer_id: customerId },
      ...{ delivery, reminder, address: mail.address, allowed_on: mail.allowedOn },
    })
    .onConflict(['id', 'firm_id'])
    .merge({ failures: 0, last_failure: null, waits_for: null })
    .where('outgoing_mails.firm_id', firmId);
  return { id, firmId };
}

/**
 * More than `MAIL_ATTEMPTS`, because killed workers and failures of the database use up attempts
 * too, and than there are in the 30 days in which a request can be answered.
 */
const MAIL_JOB_ATTEMPTS = 150;

/** Creates the job that sends a mail. Jobs of a firm stand in line by their places (D-67). */
export function mailJob({ id, firmId }: MailKey, line: Pick<Job, 'place' | 'afterMs'> = {}): Job {
  return {
    task: 'sendMail',
    payload: { id, firmId },
    key: `sendMail:${id}`,
    maxAttempts: MAIL_JOB_ATTEMPTS,
    limit: 'mail',
    ...line,
  };
}

export async function findMail(
  knex: Knex,
  { id, firmId }: MailKey,
): Promise<OutgoingMail | undefined> {
  return knex('outgoing_mails')
    .where({ id, firm_id: firmId })
    .first<OutgoingMail | undefined>(
      ...['id', 'kind', 'request_id as requestId', 'firm_id as firmId'],
      ...['customer_id as customerId', 'delivery', 'reminder', 'address', 'waits_for as waitsFor'],
      ...['allowed_on as allowedOn', 'sent_on as sentOn', 'failures'],
      'last_failure as lastFailure',
    );
}

/** Records that the mail server accepted a mail. Returns false if it is recorded already. */
export async function recordSent(
  knex: Knex,
  { id, firmId }: MailKey,
  sent_on: Date,
): Promise<boolean> {
  const unsent = { id, firm_id: firmId, sent_on: null };
  return (await knex('outgoing_mails').where(unsent).update({ sent_on })) > 0;
}

/**
 * Records a failure, after which the mail no longer waits for a budget.
 *
 * @param address - present if the mail was handed to the mail server
 * @returns the number of failures
 */
export async function recordFailure(
  knex: Knex,
  { id, firmId }: MailKey,
  reason: unknown,
  address?: string,
): Promise<number> {
  const [row] = await knex('outgoing_mails')
    .where({ id, firm_id: firmId })
    .update({
      failures: knex.raw('failures + 1'),
      last_failure: reason instanceof Error ? reason.message : String(reason),
      waits_for: null,
      ...(address !== undefined && { address }),
    })
    .returning<{ failures: number }[]>('failures');
  return row?.failures ?? 0;
}
