import type { Knex } from 'knex';
import { enqueue, type Job } from '../../jobs/job.js';
import {
  type CheckedEvidence,
  type Evidence,
  readEvidence,
  type StoredEvidence,
  writeEvidence,
} from './evidence.js';
import { MAIL_JOB_ATTEMPTS } from './signature-requests.js';

/** The recipients of the evidence of an answer; `signer` is the contact, also after a refusal. */
export type EvidenceRecipient = 'signer' | 'firm';

/** The mail with the evidence of a request for one recipient. */
export interface EvidenceMail {
  readonly requestId: string;
  readonly recipient: EvidenceRecipient;
}

/** A mail with evidence, and what became of it. */
export interface SentEvidence extends EvidenceMail {
  readonly address: string;
  /** When the mail server accepted it. */
  readonly sentOn: Date | null;
  readonly failures: number;
  /** Null if none failed. */
  readonly lastFailure: string | null;
}

/** Stores the evidence of an answer, and sends it to the contact, and to the firm if it has an address. */
export async function recordEvidence(trx: Knex.Transaction, evidence: Evidence): Promise<void> {
  const { requestId: request_id, signer, shown } = evidence;
  const { content, sha256 } = writeEvidence(evidence);
  const digest = Buffer.from(sha256, 'hex');
  await trx('signature_evidence').insert({ request_id, content, sha256: digest });
  const addresses = { signer: signer.email, firm: shown.firm.email };
  for (const recipient of ['signer', 'firm'] as const) {
    const address = addresses[recipient];
    if (address === null) continue;
    await trx('evidence_mails').insert({ request_id, recipient, address });
    await enqueue(trx, sendEvidenceJob({ requestId: request_id, recipient }));
  }
}

function sendEvidenceJob({ requestId, recipient }: EvidenceMail): Job {
  return {
    task: 'sendEvidence',
    payload: { requestId, recipient },
    key: `sendEvidence:${requestId}:${recipient}`,
    maxAttempts: MAIL_JOB_ATTEMPTS,
  };
}

/**
 * Returns the evidence of a request, or undefined if it has not been answered, or was answered before
 * evidence was kept.
 *
 * @throws Error if it does not fit its hash or its request
 */
export async function findEvidence(
  knex: Knex,
  requestId: string,
): Promise<CheckedEvidence | undefined> {
  const stored = await evidence(knex)
    .where({ request_id: requestId })
    .first<StoredEvidence | undefined>();
  return stored && readEvidence(stored);
}

/**
 * Returns the evidence of all answers that included a mandate, the oldest first, also if the mandate was
 * erased (D-63). Checks no hash.
 */
export async function listEvidence(knex: Knex, mandateId: string): Promise<StoredEvidence[]> {
  const asked = knex('asked_mandates')
    .where({ mandate_id: mandateId, is_answered: true })
    .select('request_id');
  return evidence(knex)
    .whereIn('request_id', asked)
    .unionAll(evidence(knex, 'kept_evidence').whereRaw('? = any(mandate_ids)', [mandateId]))
    .orderBy('requestId');
}

function evidence(knex: Knex, table = 'signature_evidence') {
  return knex(table).select<StoredEvidence[]>(
    ...['request_id as requestId', 'content', knex.raw("encode(sha256, 'hex') as sha256")],
  );
}

/** Returns the mails with evidence of the requests for a mandate. */
export async function listEvidenceMails(knex: Knex, mandateId: string): Promise<SentEvidence[]> {
  return mails(knex)
    .whereIn(
      'request_id',
      knex('asked_mandates').where({ mandate_id: mandateId }).select('request_id'),
    )
    .orderBy(['request_id', { column: 'recipient', order: 'desc' }]);
}

export async function findEvidenceMail(
  knex: Knex,
  { requestId: request_id, recipient }: EvidenceMail,
): Promise<SentEvidence | undefined> {
  return mails(knex).where({ request_id, recipient }).first<SentEvidence | undefined>();
}

function mails(knex: Knex) {
  return knex('evidence_mails').select<SentEvidence[]>(
    ...['request_id as requestId', 'recipient', 'address', 'sent_on as sentOn'],
    ...['failures', 'last_failure as lastFailure'],
  );
}

export async function recordEvidenceSent(
  knex: Knex,
  { requestId: request_id, recipient }: EvidenceMail,
  sent_on: Date,
): Promise<void> {
  await knex('evidence_mails').where({ request_id, recipient }).update({ sent_on });
}

/** Records a failure to send, and returns the number of failures. */
export async function recordEvidenceFailure(
  knex: Knex,
  { requestId: request_id, recipient }: EvidenceMail,
  reason: unknown,
): Promise<number> {
  const last_failure = reason instanceof Error ? reason.message : String(reason);
  const [row] = await knex('evidence_mails')
    .where({ request_id, recipient })
    .update({ failures: knex.raw('failures + 1'), last_failure })
    .returning<{ failures: number }[]>('failures');
  return row?.failures ?? 0;
}
