import type { MandateStatus } from '@adx/contract';
import { type MandateKind, nextStatus, type Trigger } from './lifecycle.js';

/**
 * What banks, payroll providers and mail servers tell the operator. Signing and declining are the
 * signer's alone, requesting again is the firm's, and what time brings is the service's.
 */
export const reportedTriggers = [
  'bankConfirmed',
  'bankRefused',
  'providerRefused',
  'fileReceived',
  'deliveryFailed',
] as const satisfies readonly Trigger[];

export type ReportedTrigger = (typeof reportedTriggers)[number];

/** What may be reported of a mandate in a status. */
export function reportedTriggersFrom(kind: MandateKind, status: MandateStatus): ReportedTrigger[] {
  return reportedTriggers.filter((trigger) => nextStatus(kind, status, trigger) !== undefined);
}
