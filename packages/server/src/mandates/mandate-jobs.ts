import { addDays, DAY, startOfBrusselsDay } from '../dates/brussels-day.js';
import type { Job } from '../jobs/job.js';
import { signingPeriodDays } from './lifecycle.js';

/** A job that is due at a certain time. */
export type DeadlineJob = Job & { readonly runAt: Date };

/** The instant from which a consent is no longer valid: the start, in Belgium, of the day after its last day. */
function endOfValidity(validUntil: string): Date {
  return startOfBrusselsDay(addDays(validUntil, 1));
}

/** The end of the signing period, which begins when the request is sent. */
export function endOfSigningPeriod(sentOn: Date): Date {
  return new Date(sentOn.getTime() + signingPeriodDays * DAY);
}

/** The job that ends a consent when its validity ends. */
export function validityJob(mandateId: string, validUntil: string): DeadlineJob {
  return {
    task: 'endValidity',
    payload: { mandateId },
    key: `endValidity:${mandateId}`,
    runAt: endOfValidity(validUntil),
  };
}

/** The job that ends the signing period of a request. */
export function signingPeriodJob(requestId: string, expiresOn: Date): DeadlineJob {
  return {
    task: 'endSigningPeriod',
    payload: { requestId },
    key: `endSigningPeriod:${requestId}`,
    runAt: expiresOn,
  };
}

/** The job that lists the deliveries held for this link, once its mandate is signed (D-28). */
export function releaseJob(linkId: string): Job {
  return { task: 'releaseDeliveries', payload: { linkId }, key: `releaseDeliveries:${linkId}` };
}
