import type { Knex } from 'knex';
import type { Attempt } from '../../jobs/job.js';
import { MailRejected } from '../../mail/message.js';
import type { CheckedEvidence } from './evidence.js';
import { evidenceFiles } from './evidence-files.js';
import {
  type EvidenceMail,
  findEvidence,
  findEvidenceMail,
  recordEvidenceFailure,
  recordEvidenceSent,
} from './evidence-store.js';
import { evidenceMail } from './mail/evidence-mail.js';
import { readRequestDetails } from './request-details.js';
import type { SendingDependencies } from './send-signature-request.js';

/**
 * Sends the evidence of an answer to the contact or the firm, as a PDF and as it is stored (D-37). A
 * failure does not affect the answer: after the last one, the operator sees it in `mandate show`.
 *
 * @throws Error if another attempt may succeed
 */
export async function sendEvidence(
  { knex, mailer, mailAttempts, logger, now }: SendingDependencies,
  mail: EvidenceMail,
  attempt: Attempt,
): Promise<void> {
  const sent = await findEvidenceMail(knex, mail);
  if (sent === undefined || sent.sentOn !== null) return;
  try {
    const evidence = await findEvidence(knex, mail.requestId);
    if (evidence === undefined) throw new Error('There is no evidence of this request');
    await mailer.send({
      id: `${mail.requestId}.evidence.${mail.recipient}`,
      ...evidenceMail(evidence, { ...sent, name: await nameOf(knex, mail, evidence) }),
      attachments: await evidenceFiles(evidence),
    });
  } catch (error) {
    const failures = await recordEvidenceFailure(knex, mail, error);
    const isRejected = error instanceof MailRejected;
    if (!isRejected && failures < mailAttempts && !attempt.isLast) throw error;
    logger.warn(
      { signatureRequest: mail.requestId, recipient: mail.recipient, err: error },
      'the evidence of an answer could not be delivered',
    );
    return;
  }
  await recordEvidenceSent(knex, mail, now());
}

/** Returns the name of the recipient. A contact who declines enters none, so it is that of the customer's contact. */
async function nameOf(
  knex: Knex,
  { recipient, requestId }: EvidenceMail,
  { signer, shown }: CheckedEvidence,
): Promise<string> {
  if (recipient === 'firm') return shown.firm.name;
  return signer.name ?? (await readRequestDetails(knex, requestId))?.contactName ?? '';
}
