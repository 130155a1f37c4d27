import type { Knex } from 'knex';
import { type CustomerOfFirm, releaseIbans, releaseNumber } from '../customers/claims.js';
import { STORED_MS } from '../files/object-removals.js';
import { deleteJobsOf } from '../jobs/job.js';
import { removeAllHeld } from '../uploads/deliveries/held-deliveries.js';
import { eraseUploadRows } from './erase-uploads.js';

/**
 * Deletes a customer without files, all rows that belong to it, and what is held for it (D-63).
 *
 * @returns the ids of the mandates whose evidence is kept
 */
export async function eraseRecords(
  trx: Knex.Transaction,
  { customerId, firmId }: CustomerOfFirm,
  now: Date,
): Promise<string[]> {
  // A second call waits for the end of the first one. Mandates are locked before what is held, as
  // everywhere.
  const customer = { id: customerId, firm_id: firmId };
  const [found] = await trx('customers').where(customer).forUpdate().select('enterprise_number');
  if (found === undefined) return [];
  const own = { customerId, firmId };
  const ofCustomer = 'customer_id = :customerId and firm_id = :firmId';
  await trx.raw(`select from mandates where ${ofCustomer} order by id for update`, own);
  await eraseHeld(trx, own, now);
  const mandateIds = await keepEvidence(trx, own, now);
  const ofMandates = `firm_id = :firmId and mandate_id in (select id from mandates where ${ofCustomer})`;
  const ofRequests = `firm_id = :firmId
    and request_id in (select id from signature_requests where ${ofCustomer})`;
  // Objects that a worker stored before it was killed, or is storing.
  await trx.raw(
    `update object_removals set remove_after = least(remove_after, ?)
      where split_part(object_key, '/', 2) = ?`,
    [new Date(now.getTime() + STORED_MS), customerId],
  );
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select id from mandates where ${ofCustomer}
      union all select id from signature_requests where ${ofCustomer}
      union all select id from bank_accounts where ${ofCustomer}
      union all select id from customer_payroll_providers where ${ofCustomer}`,
    own,
  );
  await deleteJobsOf(
    trx,
    rows.map(({ id }) => id),
  );
  await releaseNumber(trx, customerId, found.enterprise_number);
  const accounts = { customer_id: customerId, firm_id: firmId };
  await releaseIbans(trx, await trx('bank_accounts').where(accounts).select('id', 'iban'));
  for (const statement of [
    `delete from idempotent_answers a
      where firm_id = :firmId
        and (position(:customerId in a.answer) > 0
             or exists (select from mandates m
                         where ${ofCustomer} and position(m.id in a.answer) > 0))`,
    `delete from asked_mandates where ${ofMandates}`,
    `delete from asked_mandates where ${ofRequests}`,
    `delete from mandate_history where ${ofMandates}`,
    `delete from mandates where ${ofCustomer}`,
    `delete from signing_urls where ${ofRequests}`,
    `delete from outgoing_mails where ${ofCustomer}`,
    // This deletes its evidence too.
    `delete from signature_requests where ${ofCustomer}`,
    `delete from bank_accounts where ${ofCustomer}`,
    `delete from customer_payroll_providers where ${ofCustomer}`,
    `delete from missing_statements where ${ofCustomer}`,
    `delete from acknowledged_arrivals where ${ofCustomer}`,
    `delete from file_arrivals where ${ofCustomer}`,
    `delete from user_customers where ${ofCustomer}`,
    'delete from customers where id = :customerId and firm_id = :firmId',
  ]) {
    await trx.raw(statement, own);
  }
  return mandateIds;
}

/** Copies the evidence of a customer's requests, so that it stays when they are deleted. */
async function keepEvidence(
  trx: Knex.Transaction,
  own: CustomerOfFirm,
  now: Date,
): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { mandate_ids: string[] }[] }>(
    `insert into kept_evidence
       (request_id, firm_id, customer_id, mandate_ids, content, sha256, ended_on)
     select e.request_id, e.firm_id, r.customer_id,
            coalesce(array_agg(m.id order by m.id) filter (where a.is_answered), '{}'),
            e.content, e.sha256, max(coalesce(m.closed_on, :now))
       from signature_evidence e
       join signature_requests r on r.id = e.request_id and r.firm_id = e.firm_id
       -- Some of its mandates may have been removed when their retention ended.
       left join asked_mandates a on a.request_id = r.id and a.firm_id = r.firm_id
       left join mandates m on m.id = a.mandate_id and m.firm_id = a.firm_id
      where r.customer_id = :customerId and r.firm_id = :firmId
      group by e.request_id, e.firm_id, r.customer_id
     returning mandate_ids`,
    { ...own, now },
  );
  return [...new Set(rows.flatMap(({ mandate_ids }) => mandate_ids))].toSorted();
}

/**
 * Finds what is held for a customer, or arrived for its accounts or number and is held for nobody,
 * unless another customer has or had the same one.
 */
async function findHeldFor(
  trx: Knex.Transaction,
  { customerId, firmId }: CustomerOfFirm,
): Promise<{ readonly id: string; readonly upload_id: string }[]> {
  const ofFirm = { customer_id: customerId, firm_id: firmId };
  const [accounts, providers, numbers] = [
    await trx('bank_accounts').where(ofFirm).select<{ id: string; iban: string }[]>('id', 'iban'),
    await trx('customer_payroll_providers').where(ofFirm).pluck<string[]>('id'),
    await trx('customers').where({ id: customerId, firm_id: firmId }).pluck('enterprise_number'),
  ];
  const subjects = [...accounts.map(({ iban }) => iban), ...numbers];
  const { rows: others } = await trx.raw<{ rows: { subject: string }[] }>(
    `select iban as subject from bank_accounts where iban = any(:subjects) and customer_id <> :customerId
      union select enterprise_number from customers
             where enterprise_number = any(:subjects) and id <> :customerId`,
    { subjects, customerId },
  );
  const shared = others.map(({ subject }) => subject);
  const { rows } = await trx.raw<{ rows: { id: string; upload_id: string }[] }>(
    `select id, upload_id from held_deliveries
      where firm_id = :firmId and coalesce(bank_account_id, payroll_link_id) = any(:links)
         or firm_id = '' and coalesce(iban, enterprise_number) = any(:own)`,
    {
      firmId,
      links: [...accounts.map(({ id }) => id), ...providers],
      own: subjects.filter((subject) => !shared.includes(subject)),
    },
  );
  return rows;
}

/** Erases what is held for a customer. Uploads are locked first, as everywhere. */
async function eraseHeld(trx: Knex.Transaction, own: CustomerOfFirm, now: Date): Promise<void> {
  const found = await findHeldFor(trx, own);
  await trx.raw(`select from uploads where firm_id = '' and id = any(?) order by id for update`, [
    found.map(({ upload_id }) => upload_id),
  ]);
  const held = await findHeldFor(trx, own);
  const ids = held.map(({ id }) => id);
  const removed = await removeAllHeld(trx, ids, now);
  await eraseUploadRows(trx, [...new Set(removed.map(({ uploadId }) => uploadId))], now);
}
