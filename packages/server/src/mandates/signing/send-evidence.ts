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
import type { SendingDependencies } from './send-signature-request.js';

/**
 * Sends the evidence of a signature to the signer or the firm, as a PDF and as it is stored (D-37). A
 * failure does not affect the signature: after the last one, the operator sees it in `mandate show`.
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
      ...evidenceMail(evidence, { ...sent, name: nameOf(mail, evidence) }),
      attachments: await evidenceFiles(evidence),
    });
  } catch (error) {
    const failures = await recordEvidenceFailure(knex, mail, error);
    const isRejected = error instanceof MailRejected;
    if (!isRejected && failures < mailAttempts && !attempt.isLast) throw error;
    logger.warn(
      { signatureRequest: mail.requestId, recipient: mail.recipient, err: error },
      'the evidence of a signature could not be delivered',
    );
    return;
  }
  await recordEvidenceSent(knex, mail, now());
}

function nameOf({ recipient }: EvidenceMail, { signer, shown }: CheckedEvidence): string {
  return recipient === 'signer' ? (signer.name ?? '') : shown.firm.name;
}
