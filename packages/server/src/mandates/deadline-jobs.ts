import type { Knex } from 'knex';
import { addDays, DAY, startOfBrusselsDay } from '../dates/brussels-day.js';
import { enqueue } from '../jobs/enqueue.js';
import type { Job } from '../jobs/job.js';
import { signingPeriodDays } from './lifecycle.js';

/** A job of a certain time. */
export type DeadlineJob = Job & { readonly runAt: Date };

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
export async function comeAgain(trx: Knex.Transaction, job: DeadlineJob, now: Date): Promise<void> {
  const { rows } = await trx.raw<{ rows: { now: Date }[] }>('select now()');
  const queueTime = rows[0]?.now ?? now;
  const left = job.runAt.getTime() - now.getTime();
  await enqueue(trx, { ...job, runAt: new Date(queueTime.getTime() + left) });
}
