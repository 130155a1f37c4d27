import type { MandateStatus } from '@adx/contract';
import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { type MandateKind, nextStatus, type Trigger } from './lifecycle.js';
import { type Actor, applyStep } from './mandate-steps.js';
import { lockOpenMandates, type OpenMandate } from './open-mandates.js';
import { undelivered } from './signing/deliver-signature-request.js';
import { lockSignatureRequest } from './signing/signature-requests.js';

/** Something that happened outside the service, and who says so. */
export interface Report {
  readonly mandateId: string;
  readonly trigger: ReportedTrigger;
  readonly actor: Actor;
  readonly now: Date;
}

/** A status that changed. */
export interface StatusChange {
  readonly id: string;
  readonly from: MandateStatus;
  readonly to: MandateStatus;
}

/**
 * Applies what is reported of a mandate. A message that came back asked for all mandates of its
 * request, so those that still wait for the contact fail with it.
 *
 * @returns what changed, the mandate itself first; nothing when no open mandate has the id
 * @throws IllegalStep when the mandate has no such step; nothing was changed
 */
export function reportStep(knex: Knex, report: Report): Promise<StatusChange[] | undefined> {
  const { mandateId, trigger, actor, now } = report;
  const isReturned = trigger === 'deliveryFailed';
  return inTransaction(knex, async (trx) => {
    const others = isReturned ? await holdRequest(trx, mandateId) : {};
    const mandates = await lockOpenMandates(trx, { id: mandateId, ...others });
    const mandate = mandates.find(({ id }) => id === mandateId);
    if (mandate === undefined) return undefined;
    const follows = ({ id, kind, status }: OpenMandate) =>
      id !== mandateId && nextStatus(kind, status, trigger) !== undefined;
    const affected = [mandate, ...mandates.filter(follows)];
    const error = isReturned ? { error: undelivered } : {};
    await applyStep(trx, affected, { trigger, actor, now, ...error });
    return affected.flatMap(({ id, kind, status: from }) => {
      const to = nextStatus(kind, from, trigger);
      return to === undefined ? [] : [{ id, from, to }];
    });
  });
}

/**
 * Holds the request that a mandate was last asked by; it is always held before its mandates. And
 * before it the customer, as requesting again does: until the end of the transaction there is no
 * later one.
 */
async function holdRequest(
  trx: Knex.Transaction,
  mandateId: string,
): Promise<{ readonly signature_request_id?: string }> {
  await trx.raw(
    `select c.id from mandates m join customers c on c.id = m.customer_id
      where m.id = ? for no key update of c`,
    [mandateId],
  );
  const row = await trx('mandates')
    .where({ id: mandateId })
    .whereNotNull('signature_request_id')
    .first<{ signature_request_id: string } | undefined>('signature_request_id');
  if (row === undefined) return {};
  await lockSignatureRequest(trx, row.signature_request_id);
  return row;
}

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
