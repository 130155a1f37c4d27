import { addDays, DAY, startOfBrusselsDay } from '../dates/brussels-day.js';
import { type Job, lastPlace } from '../jobs/job.js';
import { signingPeriodDays } from './lifecycle.js';
import type { OpenMandate } from './open-mandates.js';

/** A job with the last place, so that workers find others before the many that are not due yet. */
export type DeadlineJob = Job & { readonly runAt: Date };

export function endOfSigningPeriod(sentOn: Date): Date {
  return new Date(sentOn.getTime() + signingPeriodDays * DAY);
}

/** Returns the midnight in Belgium after the last day of a consent, `YYYY-MM-DD`. */
export function endOfRenewal(validUntil: string): Date {
  return startOfBrusselsDay(addDays(validUntil, 1));
}

/** @param validUntil - the last day of the consent, `YYYY-MM-DD` */
export function validityJob(
  mandate: { readonly firmId: string; readonly mandateId: string },
  validUntil: string,
): DeadlineJob {
  return deadlineJob('endValidity', mandate, mandate.mandateId, endOfRenewal(validUntil));
}

export function signingPeriodJob(
  request: { readonly firmId: string; readonly requestId: string },
  expiresOn: Date,
): DeadlineJob {
  return deadlineJob('endSigningPeriod', request, request.requestId, expiresOn);
}

function deadlineJob(task: string, payload: object, id: string, runAt: Date): DeadlineJob {
  return { task, payload, key: `${task}:${id}`, runAt, place: lastPlace };
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
    payload: { linkId, firmId },
    key: `releaseDeliveries:${linkId}`,
    firmId,
    place,
  };
}
