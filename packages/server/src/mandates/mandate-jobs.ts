import { addDays, DAY, startOfBrusselsDay } from '../dates/brussels-day.js';
import { type Job, lastPlace } from '../jobs/job.js';
import { signingPeriodDays } from './lifecycle.js';
import type { OpenMandate } from './open-mandates.js';

/**
 * A job that is due at a certain time. It has the last place, so that workers find others before
 * the many that are not due yet.
 */
export type DeadlineJob = Job & { readonly runAt: Date };

/** Returns the end of the signing period, which begins when the request is sent. */
export function endOfSigningPeriod(sentOn: Date): Date {
  return new Date(sentOn.getTime() + signingPeriodDays * DAY);
}

/**
 * Returns the end of the period in which consents can be renewed that end on this day,
 * `YYYY-MM-DD`.
 */
export function endOfRenewal(validUntil: string): Date {
  return startOfBrusselsDay(addDays(validUntil, 1));
}

/** Creates the job that ends a consent after its last day, `YYYY-MM-DD`, at midnight in Belgium. */
export function validityJob(mandateId: string, validUntil: string): DeadlineJob {
  return {
    task: 'endValidity',
    payload: { mandateId },
    key: `endValidity:${mandateId}`,
    runAt: endOfRenewal(validUntil),
    place: lastPlace,
  };
}

/** Creates the job that ends the signing period of a signature request. */
export function signingPeriodJob(requestId: string, expiresOn: Date): DeadlineJob {
  return {
    task: 'endSigningPeriod',
    payload: { requestId },
    key: `endSigningPeriod:${requestId}`,
    runAt: expiresOn,
    place: lastPlace,
  };
}

/**
 * Creates the job that lists the deliveries held for a link, once its mandate is signed (D-28).
 *
 * @param place - the number of links of its firm before it
 */
export function releaseJob(
  { firmId, linkId }: Pick<OpenMandate, 'firmId' | 'linkId'>,
  place = 0,
): Job {
  return {
    task: 'releaseDeliveries',
    payload: { linkId },
    key: `releaseDeliveries:${linkId}`,
    firmId,
    place,
  };
}
