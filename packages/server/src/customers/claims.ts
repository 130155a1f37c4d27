/**
 * The claims on what is unique across firms: the enterprise numbers of customers that are not
 * archived, and the IBANs of active accounts (D-16). Triggers of `customers` and `bank_accounts`
 * keep them, and refuse a row whose claim is taken. A store that has an answer for that claims
 * first.
 */

import type { Knex } from 'knex';
import type { EnterpriseNumber } from '../identifiers/enterprise-number.js';
import type { Iban } from '../identifiers/iban.js';

export interface CustomerOfFirm {
  readonly customerId: string;
  readonly firmId: string;
}

/** Claims an enterprise number for a new customer. Returns false if it is taken. */
export async function claimNumber(
  trx: Knex.Transaction,
  { customerId: customer_id, firmId: firm_id }: CustomerOfFirm,
  enterprise_number: EnterpriseNumber,
): Promise<boolean> {
  const claimed = await trx('claimed_enterprise_numbers')
    .insert({ enterprise_number, firm_id, customer_id })
    .onConflict()
    .ignore()
    .returning('customer_id');
  return claimed.length > 0;
}

/** Claims the IBANs of new accounts, in their order. Returns those that were free. */
export async function claimIbans(
  trx: Knex.Transaction,
  { customerId: customer_id, firmId: firm_id }: CustomerOfFirm,
  accounts: readonly { readonly id: string; readonly iban: Iban }[],
): Promise<ReadonlySet<Iban>> {
  const claimed = await trx('claimed_ibans')
    .insert(accounts.map(({ id, iban }) => ({ iban, firm_id, customer_id, bank_account_id: id })))
    .onConflict()
    .ignore()
    .returning<{ iban: Iban }[]>('iban');
  return new Set(claimed.map(({ iban }) => iban));
}

export async function firmWithNumber(
  trx: Knex.Transaction,
  enterprise_number: EnterpriseNumber,
): Promise<string | undefined> {
  const [firmId] = await trx('claimed_enterprise_numbers')
    .where({ enterprise_number })
    .pluck<string[]>('firm_id');
  return firmId;
}

/** SQL that is true for the customer `c`, not archived, that has an enterprise number. */
export const hasNumber = hasClaim('claimed_enterprise_numbers', 'enterprise_number');

/** SQL that is true for the customer `c` that has an active account with an IBAN. */
export const hasIban = hasClaim('claimed_ibans', 'iban');

function hasClaim(table: string, column: string): string {
  return `exists (select from ${table} n
                   where n.${column} = ? and n.firm_id = c.firm_id and n.customer_id = c.id)`;
}
