import type { Knex } from 'knex';
import type { Job } from '../../jobs/job.js';

/**
 * The mails to a contact, and to the firm: a signature request, its reminders, and the evidence of
 * the answer, which confirms it to the contact.
 */
export type MailKind = 'request' | 'reminder' | 'confirmation' | 'evidence';

/** The owner of a budget of mails; `address` is the e-mail address of the contact (D-36). */
export type BudgetOwner = 'customer' | 'firm' | 'address';

/** A mail, and what became of it. */
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
  /** The address that it goes to; null if that is not known before it may be sent. */
  readonly address: string | null;
  /** The owner of the budget that is used up, if it waits for one. */
  readonly waitsFor: BudgetOwner | null;
  /** When it was counted in the budgets. */
  readonly allowedOn: Date | null;
  /** When the mail server accepted it. */
  readonly sentOn: Date | null;
  /** The number of failures to send it. */
  readonly failures: number;
  /** Why the last one failed, for the operator. */
  readonly lastFailure: string | null;
}

type MailKey = Pick<OutgoingMail, 'id' | 'firmId'>;

type NewMail = Pick<OutgoingMail, 'kind' | 'requestId' | 'firmId' | 'customerId'> &
  Partial<Pick<OutgoingMail, 'delivery' | 'reminder' | 'address' | 'allowedOn'>>;

/**
 * Returns the `Message-ID` of a mail, without `@` and host name. It is the same each time the mail
 * is sent.
 */
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
export async function addMail(trx: Knex.Transaction, mail: NewMail): Promise<string> {
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
  return id;
}

/**
 * More than `MAIL_ATTEMPTS`, because killed workers and failures of the database use up attempts
 * too, and than there are in the 30 days in which a request can be answered.
 */
const MAIL_JOB_ATTEMPTS = 150;

/** Creates the job that sends a mail. Jobs of a firm stand in line by their places (D-67). */
export function mailJob(id: string, line: Pick<Job, 'place' | 'afterMs'> = {}): Job {
  return {
    task: 'sendMail',
    payload: { mailId: id },
    key: `sendMail:${id}`,
    maxAttempts: MAIL_JOB_ATTEMPTS,
    limit: 'mail',
    ...line,
  };
}

/** Returns the query of mails. */
export function mails(knex: Knex): Knex.QueryBuilder<object, OutgoingMail[]> {
  return knex('outgoing_mails').select<OutgoingMail[]>(
    ...['id', 'kind', 'request_id as requestId', 'firm_id as firmId', 'customer_id as customerId'],
    ...['delivery', 'reminder', 'address', 'waits_for as waitsFor', 'allowed_on as allowedOn'],
    ...['sent_on as sentOn', 'failures', 'last_failure as lastFailure'],
  );
}

/** @param firmId - its firm, if that is known */
export async function findMail(
  knex: Knex,
  id: string,
  firmId?: string,
): Promise<OutgoingMail | undefined> {
  const key = firmId === undefined ? { id } : { id, firm_id: firmId };
  return mails(knex).where(key).first<OutgoingMail | undefined>();
}

/** Records that the mail server accepted a mail. Returns false if that is recorded already. */
export async function recordSent(
  knex: Knex,
  { id, firmId }: MailKey,
  sent_on: Date,
): Promise<boolean> {
  const unsent = { id, firm_id: firmId, sent_on: null };
  return (await knex('outgoing_mails').where(unsent).update({ sent_on })) > 0;
}

/**
 * Records a failure to send a mail. It no longer waits for a budget.
 *
 * @param address that it was handed to the mail server for, if it was
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
