import type { Knex } from 'knex';
import { enqueue } from '../../jobs/job.js';
import {
  type CheckedEvidence,
  type Evidence,
  readEvidence,
  type StoredEvidence,
  writeEvidence,
} from './evidence.js';
import { addMail, mailJob, type OutgoingMail } from './outgoing-mails.js';

/** Stores the evidence of an answer, and sends it to the contact and to the firm. */
export async function recordEvidence(
  trx: Knex.Transaction,
  evidence: Evidence,
  { firmId, customerId }: Pick<OutgoingMail, 'firmId' | 'customerId'>,
): Promise<void> {
  const { requestId, signer, shown } = evidence;
  const { content, sha256 } = writeEvidence(evidence);
  const digest = Buffer.from(sha256, 'hex');
  await trx('signature_evidence').insert({
    ...{ request_id: requestId, firm_id: firmId, content, sha256: digest },
  });
  const addresses = { confirmation: signer.email, evidence: shown.firm.email };
  for (const kind of ['confirmation', 'evidence'] as const) {
    const address = addresses[kind];
    if (address === null) continue;
    const mail = await addMail(trx, { kind, requestId, firmId, customerId, address });
    await enqueue(trx, mailJob(mail));
  }
}

/** @throws Error if the evidence does not fit its hash or its request */
export async function findEvidence(
  knex: Knex,
  { requestId, firmId }: Pick<OutgoingMail, 'requestId' | 'firmId'>,
): Promise<CheckedEvidence | undefined> {
  const stored = await evidence(knex)
    .where({ request_id: requestId, firm_id: firmId })
    .first<StoredEvidence | undefined>();
  return stored && readEvidence(stored);
}

/**
 * Returns the evidence of all answers that included a mandate, oldest first, also if the mandate
 * was erased (D-63). Checks no hash.
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
