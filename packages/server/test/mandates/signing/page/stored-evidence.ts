import type { Knex } from 'knex';
import { createCustomerMandates } from '../../../../src/mandates/customer-mandates.js';
import type { StoredEvidence } from '../../../../src/mandates/signing/evidence.js';
import { freeFirmName } from '../../../support/rows.js';
import type { SentRequest } from './signing-service.js';

/** Returns the evidence of a request as it is stored. */
export async function storedEvidence(
  knex: Knex,
  { requestId }: SentRequest,
): Promise<StoredEvidence | undefined> {
  const row = await knex('signature_evidence').where({ request_id: requestId }).first();
  return row && { requestId, content: row.content, sha256: row.sha256.toString('hex') };
}

/** Renames the customer of a request as an update does. */
export async function renameCustomer(
  knex: Knex,
  { firmId, customerId }: SentRequest,
  name: string,
): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx('customers').where({ id: customerId }).update({ name });
    await createCustomerMandates().renamed(trx, { firmId, customerId });
  });
}

/** Renames the firm of a request. */
export async function renameFirm(
  knex: Knex,
  { firmId: id }: SentRequest,
  name: string,
): Promise<void> {
  await freeFirmName(knex, name);
  await knex('firms').where({ id }).update({ name });
}
