import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { type LifecycleStatus, type MandateKind, nextStatus, type Trigger } from './lifecycle.js';
import { type Actor, applyStep, type StatusChange } from './mandate-steps.js';
import { lockOpenMandates, type OpenMandate } from './open-mandates.js';
import { undelivered } from './signing/send-mail.js';
import { lockSignatureRequest } from './signing/signature-requests.js';

interface Report {
  readonly mandateId: string;
  readonly trigger: ReportedTrigger;
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * Applies a reported step to a mandate. A returned message concerns all mandates of its signature
 * request, so those that still wait for the contact fail with it.
 *
 * @returns the changes, that of the mandate itself first; undefined if it is not open or its status
 *   does not allow the step
 */
export function reportStep(knex: Knex, report: Report): Promise<StatusChange[] | undefined> {
  const { mandateId, trigger, actor, now } = report;
  const isReturned = trigger === 'deliveryFailed';
  return inTransaction(knex, async (trx) => {
    const request = isReturned ? await lockRequestOf(trx, mandateId) : undefined;
    const ofRequest = request && { signature_request_id: request.id };
    const mandates = await lockOpenMandates(trx, { id: mandateId, ...ofRequest }, request?.firmId);
    const mandate = mandates.find(({ id }) => id === mandateId);
    const allows = ({ kind, status }: OpenMandate) =>
      nextStatus(kind, status, trigger) !== undefined;
    if (mandate === undefined || !allows(mandate)) return undefined;
    const affected = [mandate, ...mandates.filter((each) => each !== mandate && allows(each))];
    const error = isReturned ? { error: undelivered } : {};
    return applyStep(trx, affected, { trigger, actor, now, ...error });
  });
}

/**
 * Locks the latest signature request of a mandate, and before it the customer. A new request for
 * the mandate locks the customer too, and so has to wait until this transaction ends.
 */
async function lockRequestOf(
  trx: Knex.Transaction,
  mandateId: string,
): Promise<{ readonly id: string; readonly firmId: string } | undefined> {
  const mandate = await trx('mandates').where({ id: mandateId }).first('customer_id', 'firm_id');
  if (mandate === undefined) return undefined;
  await trx.raw('select from customers where id = ? and firm_id = ? for no key update', [
    mandate.customer_id,
    mandate.firm_id,
  ]);
  const request = await trx('mandates')
    .where({ id: mandateId })
    .whereNotNull('signature_request_id')
    .first<{ id: string; firmId: string } | undefined>(
      ...['signature_request_id as id', 'firm_id as firmId'],
    );
  if (request !== undefined) await lockSignatureRequest(trx, request.id, request.firmId);
  return request;
}

/**
 * The events that banks, payroll providers and mail servers report to the operator. Only the signer
 * signs or declines, only the firm requests again, and the service ends periods.
 */
export const reportedTriggers = [
  'bankConfirmed',
  'bankRefused',
  'providerRefused',
  'fileReceived',
  'deliveryFailed',
] as const satisfies readonly Trigger[];

export type ReportedTrigger = (typeof reportedTriggers)[number];

export function reportedTriggersFrom(
  kind: MandateKind,
  status: LifecycleStatus,
): ReportedTrigger[] {
  return reportedTriggers.filter((trigger) => nextStatus(kind, status, trigger) !== undefined);
}
