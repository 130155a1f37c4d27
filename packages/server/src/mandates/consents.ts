import type { Knex } from 'knex';
import { brusselsDay } from '../dates/brussels-day.js';
import { nextStatus, permitsDeliveries } from './lifecycle.js';
import { applyStep } from './mandate-steps.js';
import { findOpenMandates, lockOpenMandates, type OpenMandate } from './open-mandates.js';

/** The consent of mandates to list deliveries (D-28); the first delivery finishes a mandate (D-24). */
export function createConsents(now: () => Date = () => new Date()) {
  return {
    /** Returns the links whose mandate is signed and has not ended. */
    coveredLinks: async (knex: Knex, linkIds: readonly string[]): Promise<ReadonlySet<string>> =>
      coveredOf(await findOpenMandates(knex, ofLinks(linkIds)), brusselsDay(now())),

    /** The same, with their mandates locked until the transaction ends. */
    lockCoveredLinks: async (
      trx: Knex.Transaction,
      linkIds: readonly string[],
    ): Promise<ReadonlySet<string>> =>
      coveredOf(await lockOpenMandates(trx, ofLinks(linkIds)), brusselsDay(now())),

    /** Finishes the mandates of these links that were waiting for their first delivery. */
    async delivered(trx: Knex.Transaction, linkIds: readonly string[]): Promise<void> {
      const mandates = await lockOpenMandates(trx, ofLinks(linkIds));
      const step = { trigger: 'fileReceived', actor: { kind: 'service' }, now: now() } as const;
      const waiting = mandates.filter(
        ({ kind, status }) => nextStatus(kind, status, step.trigger) !== undefined,
      );
      // Every transaction that takes the clocks of several firms takes them in this order.
      for (const firmId of [...new Set(waiting.map(firmOf))].sort()) {
        await applyStep(
          trx,
          waiting.filter((mandate) => firmOf(mandate) === firmId),
          step,
        );
      }
    },
  };
}

/** The links of mandates that are signed; one whose last day has passed ends before its job says so. */
function coveredOf(mandates: readonly OpenMandate[], today: string): ReadonlySet<string> {
  return new Set(
    mandates
      .filter(({ status }) => permitsDeliveries(status))
      .filter(({ validUntil }) => validUntil === null || validUntil >= today)
      .map(({ linkId }) => linkId),
  );
}

function ofLinks(linkIds: readonly string[]) {
  return { bank_account_id: linkIds, payroll_link_id: linkIds };
}

function firmOf({ firmId }: OpenMandate): string {
  return firmId;
}
