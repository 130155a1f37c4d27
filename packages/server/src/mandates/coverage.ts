import type { Knex } from 'knex';
import { brusselsDay } from '../dates/brussels-day.js';
import { findDisabledFirms } from '../db/firms.js';
import { permitsDeliveries } from './lifecycle.js';
import { applyWhereAllowed } from './mandate-steps.js';
import { findOpenMandates, lockOpenMandates, type OpenMandate } from './open-mandates.js';

/** Tells which deliveries may be listed (D-28). The first one finishes its mandate (D-24). */
export function createCoverage(now: () => Date = () => new Date()) {
  return {
    /**
     * Returns the links whose mandate permits deliveries, without those of disabled firms (D-60).
     */
    coveredLinks: async (knex: Knex, links: readonly Link[]): Promise<ReadonlySet<string>> =>
      coveredOf(knex, await findOpenMandates(knex, ...ofLinks(links)), brusselsDay(now())),

    /** Returns the same, and locks their mandates until the transaction ends. */
    lockCoveredLinks: async (
      trx: Knex.Transaction,
      links: readonly Link[],
    ): Promise<ReadonlySet<string>> =>
      coveredOf(trx, await lockOpenMandates(trx, ...ofLinks(links)), brusselsDay(now())),

    async delivered(trx: Knex.Transaction, links: readonly Link[]): Promise<void> {
      const open = await lockOpenMandates(trx, ...ofLinks(links));
      const mandates = open.filter(({ kind, status }) => permitsDeliveries(kind, status));
      const step = { trigger: 'fileReceived', actor: { kind: 'service' }, now: now() } as const;
      // Every transaction that locks the clocks of several firms locks them in this order.
      for (const firmId of [...new Set(mandates.map(({ firmId }) => firmId))].sort()) {
        const ofFirm = mandates.filter((mandate) => mandate.firmId === firmId);
        await applyWhereAllowed(trx, ofFirm, step);
      }
    },
  };
}

/**
 * Returns the links of signed mandates. A consent whose last day has passed counts as ended, even
 * if its job has not run yet. Firms are read after their mandates are locked, so that one that was
 * disabled or enabled meanwhile counts as it is now (D-60).
 */
async function coveredOf(
  knex: Knex,
  mandates: readonly OpenMandate[],
  today: string,
): Promise<ReadonlySet<string>> {
  const firmIds = mandates.map(({ firmId }) => firmId);
  const disabled = await findDisabledFirms(knex, firmIds);
  return new Set(
    mandates
      .filter(({ kind, status }) => permitsDeliveries(kind, status))
      .filter(({ firmId }) => !disabled.has(firmId))
      .filter(({ validUntil }) => validUntil === null || validUntil >= today)
      .map(({ linkId }) => linkId),
  );
}

type Link = Pick<OpenMandate, 'linkId' | 'firmId'>;

function ofLinks(links: readonly Link[]) {
  const ids = links.map(({ linkId }) => linkId);
  const choice = { bank_account_id: ids, payroll_link_id: ids };
  return [choice, links.map(({ firmId }) => firmId)] as const;
}
