import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { deleteJobsOf } from '../jobs/job.js';

const BATCH = 500;

/**
 * Removes a batch of mandates that ended before an instant, with their accounts and payroll
 * providers. A signature request goes with its last mandate, and its evidence with it.
 */
export function removeEndedMandates(knex: Knex, before: Date): Promise<number> {
  return inTransaction(knex, async (trx) => {
    const { rows } = await trx.raw<{ rows: { id: string; linkId: string }[] }>(
      `select id, coalesce(bank_account_id, payroll_link_id) as "linkId" from mandates
      where closed_on < ? order by closed_on limit ${BATCH}`,
      [before],
    );
    const ids = rows.map(({ id }) => id);
    const linkIds = rows.map(({ linkId }) => linkId);
    const { rows: asked } = await trx.raw<{ rows: { request_id: string }[] }>(
      'delete from asked_mandates where mandate_id = any(?) returning request_id',
      [ids],
    );
    await trx.raw('delete from mandate_history where mandate_id = any(?)', [ids]);
    await trx.raw('delete from mandates where id = any(?)', [ids]);
    const requestIds = await requestsWithoutMandates(
      trx,
      asked.map(({ request_id }) => request_id),
    );
    await deleteJobsOf(trx, [...ids, ...requestIds, ...linkIds]);
    for (const statement of [
      'delete from signing_urls where request_id = any(:requestIds)',
      'delete from outgoing_mails where request_id = any(:requestIds)',
      'delete from signature_requests where id = any(:requestIds)',
      `delete from bank_accounts a where id = any(:linkIds)
        and not exists (select from held_deliveries h where h.bank_account_id = a.id and h.firm_id = a.firm_id)`,
      `delete from customer_payroll_providers p where id = any(:linkIds)
        and not exists (select from held_deliveries h where h.payroll_link_id = p.id and h.firm_id = p.firm_id)`,
    ]) {
      await trx.raw(statement, { requestIds, linkIds });
    }
    return ids.length;
  });
}

/** Removes a batch of the evidence of erased customers whose mandates ended before an instant. */
export function removeEvidence(knex: Knex, before: Date): Promise<number> {
  return inTransaction(knex, async (trx) => {
    await trx.raw("set local adx.removes_evidence = 'yes'");
    const batch = trx('kept_evidence').where('ended_on', '<', before).limit(BATCH);
    return trx('kept_evidence')
      .whereIn(['request_id', 'firm_id'], batch.select('request_id', 'firm_id'))
      .delete();
  });
}

async function requestsWithoutMandates(
  trx: Knex.Transaction,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select r.id from signature_requests r
      where r.id = any(?)
        and not exists (select from asked_mandates a where a.request_id = r.id and a.firm_id = r.firm_id)
        and not exists (select from mandates m where m.signature_request_id = r.id and m.firm_id = r.firm_id)`,
    [[...ids]],
  );
  return rows.map(({ id }) => id);
}
