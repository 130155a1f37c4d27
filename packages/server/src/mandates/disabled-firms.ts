import type { Knex } from 'knex';
import { enqueueAll } from '../jobs/job.js';
import { permitsDeliveries } from './lifecycle.js';
import { releaseJob } from './mandate-jobs.js';
import { lockOpenMandates } from './open-mandates.js';

/**
 * Ends or resumes the deliveries of a firm (D-60), as a listener of the feature `identity`. The
 * locks of its mandates separate this from the transactions that list or hold deliveries: one that
 * began earlier is complete, and a later one finds the new state. So nothing is listed for a
 * disabled firm, and nothing stays held for an enabled one.
 */
export const deliveriesOfFirm = {
  async changed(trx: Knex.Transaction, firmId: string, isDisabled: boolean): Promise<void> {
    const mandates = await lockOpenMandates(trx, { firm_id: firmId }, firmId);
    if (isDisabled) return;
    const linkIds = new Set(await linksWithHeldDeliveries(trx, firmId));
    const released = mandates.filter(
      ({ kind, status, linkId }) => permitsDeliveries(kind, status) && linkIds.has(linkId),
    );
    await enqueueAll(
      trx,
      released.map((mandate, place) => releaseJob(mandate, place)),
    );
  },
};

async function linksWithHeldDeliveries(knex: Knex, firmId: string): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { linkId: string }[] }>(
    `select distinct coalesce(m.bank_account_id, m.payroll_link_id) as "linkId"
       from mandates m
       join held_deliveries h
         on h.firm_id = m.firm_id
        and (h.bank_account_id = m.bank_account_id or h.payroll_link_id = m.payroll_link_id)
      where m.firm_id = ? and m.closed_on is null`,
    [firmId],
  );
  return rows.map(({ linkId }) => linkId);
}
