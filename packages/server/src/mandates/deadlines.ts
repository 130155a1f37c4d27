import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { comeAgain, signingPeriodJob, validityJob } from './deadline-jobs.js';
import { applyStep } from './mandate-steps.js';
import { lockOpenMandates } from './open-mandates.js';
import { lockSignatureRequest } from './signature-requests.js';

/**
 * Expires the mandates of a request that nobody has answered. A job that comes before its time, as
 * when clocks differ, comes again.
 */
export function endSigningPeriod(knex: Knex, requestId: string, now: Date): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const request = await lockSignatureRequest(trx, requestId);
    if (request === undefined || request.expiresOn === null) return;
    const job = signingPeriodJob(requestId, request.expiresOn);
    if (now < job.runAt) return comeAgain(trx, job, now);
    const mandates = await lockOpenMandates(trx, { signature_request_id: requestId });
    await applyStep(
      trx,
      mandates.filter(({ status }) => status === 'waitingForSigner'),
      { trigger: 'signingPeriodEnded', actor: { kind: 'service' }, now },
    );
  });
}

/** Ends a consent whose last day has passed in Belgium; a job that comes before its time comes again. */
export function endValidity(knex: Knex, mandateId: string, now: Date): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const [mandate] = await lockOpenMandates(trx, { id: mandateId });
    if (mandate?.status !== 'finished' || mandate.validUntil === null) return;
    const job = validityJob(mandateId, mandate.validUntil);
    if (now < job.runAt) return comeAgain(trx, job, now);
    await applyStep(trx, [mandate], {
      trigger: 'validityEnded',
      actor: { kind: 'service' },
      now,
    });
  });
}
