import type { Job } from '../jobs/job.js';
import { addDays, startOfBrusselsDay } from './brussels-day.js';

/** When a consent is no longer valid: as the day after its last one begins in Belgium. */
export function endOfValidity(validUntil: string): Date {
  return startOfBrusselsDay(addDays(validUntil, 1));
}

/** Ends a consent in time. */
export function validityJob(mandateId: string, validUntil: string): Job {
  return {
    task: 'endValidity',
    payload: { mandateId },
    key: `endValidity:${mandateId}`,
    runAt: endOfValidity(validUntil),
  };
}

/** Ends the time a contact has to sign. */
export function signingPeriodJob(requestId: string, expiresOn: Date): Job {
  return {
    task: 'endSigningPeriod',
    payload: { requestId },
    key: `endSigningPeriod:${requestId}`,
    runAt: expiresOn,
  };
}
