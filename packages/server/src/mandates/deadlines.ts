import type { Knex } from 'knex';
import { addDays, DAY, startOfBrusselsDay } from '../dates/brussels-day.js';
import { inTransaction } from '../db/transaction.js';
import { enqueue } from '../jobs/enqueue.js';
import type { Job } from '../jobs/job.js';
import { signingPeriodDays } from './lifecycle.js';
import { applyStep } from './mandate-steps.js';
import { lockOpenMandates } from './open-mandates.js';
import { lockSignatureRequest } from './signing/signature-requests.js';

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

/** A job of a certain time. */
type DeadlineJob = Job & { readonly runAt: Date };

/** When a consent is no longer valid: as the day after its last one begins in Belgium. */
function endOfValidity(validUntil: string): Date {
  return startOfBrusselsDay(addDays(validUntil, 1));
}

/** When the time to sign ends that begins with the sending of a request. */
export function endOfSigningPeriod(sentOn: Date): Date {
  return new Date(sentOn.getTime() + signingPeriodDays * DAY);
}

/** Ends a consent in time. */
export function validityJob(mandateId: string, validUntil: string): DeadlineJob {
  return {
    task: 'endValidity',
    payload: { mandateId },
    key: `endValidity:${mandateId}`,
    runAt: endOfValidity(validUntil),
  };
}

/** Ends the time a contact has to sign. */
export function signingPeriodJob(requestId: string, expiresOn: Date): DeadlineJob {
  return {
    task: 'endSigningPeriod',
    payload: { requestId },
    key: `endSigningPeriod:${requestId}`,
    runAt: expiresOn,
  };
}

/** Lists the deliveries that were held until a mandate of this link is signed (D-28). */
export function releaseJob(linkId: string): Job {
  return { task: 'releaseDeliveries', payload: { linkId }, key: `releaseDeliveries:${linkId}` };
}

/**
 * Lets a job that came before its time come again. The queue goes by the clock of the database: where
 * that is ahead of ours the same time would be past again, and the job come without a pause.
 */
async function comeAgain(trx: Knex.Transaction, job: DeadlineJob, now: Date): Promise<void> {
  const { rows } = await trx.raw<{ rows: { now: Date }[] }>('select now()');
  const queueTime = rows[0]?.now ?? now;
  const left = job.runAt.getTime() - now.getTime();
  await enqueue(trx, { ...job, runAt: new Date(queueTime.getTime() + left) });
}
