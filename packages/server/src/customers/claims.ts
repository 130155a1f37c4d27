/**
 * The claims on what is unique across firms: the enterprise numbers of customers that are not
 * archived, and the IBANs of active accounts (D-16). Code that writes these rows also claims and
 * releases: no trigger could, because the rows of a firm may lie on another server than the claims
 * (D-68). What a firm has claimed once is remembered in `link_holders` (D-66).
 */

import type { Knex } from 'knex';
import type { EnterpriseNumber } from '../identifiers/enterprise-number.js';
import type { Iban } from '../identifiers/iban.js';

export interface CustomerOfFirm {
  readonly customerId: string;
  readonly firmId: string;
}

/** Claims an enterprise number for a customer. Returns false if it is taken. */
export async function claimNumber(
  trx: Knex.Transaction,
  { customerId, firmId }: CustomerOfFirm,
  enterpriseNumber: EnterpriseNumber,
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `insert into claimed_enterprise_numbers (enterprise_number, firm_id, customer_id)
     values (?, ?, ?) on conflict do nothing returning customer_id`,
    [enterpriseNumber, firmId, customerId],
  );
  if (rows.length === 0) return false;
  await rememberHolder(trx, firmId, [enterpriseNumber]);
  return true;
}

/** Claims the IBANs of accounts, in their order. Returns those that were free. */
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
  const ibans = claimed.map(({ iban }) => iban);
  await rememberHolder(trx, firm_id, ibans);
  return new Set(ibans);
}

/** Remembers that a firm has payroll providers of an enterprise, which several firms may have. */
export async function rememberProviders(
  trx: Knex.Transaction,
  { customerId: id, firmId: firm_id }: CustomerOfFirm,
  codes: readonly string[],
): Promise<void> {
  const [number] = await trx('customers')
    .where({ id, firm_id })
    .pluck<string[]>('enterprise_number');
  await rememberHolder(
    trx,
    firm_id,
    codes.map((code) => `${number} ${code}`),
  );
}

async function rememberHolder(
  trx: Knex.Transaction,
  firmId: string,
  subjects: readonly string[],
): Promise<void> {
  if (subjects.length === 0) return;
  await trx.raw(
    `insert into link_holders (subject, holder)
     select sha256(convert_to(subject, 'UTF8')), ? from unnest(?::text[]) subject
     on conflict do nothing`,
    [firmId, [...subjects]],
  );
}

/** Releases the number of a customer that is archived or deleted. */
export async function releaseNumber(
  trx: Knex.Transaction,
  customer_id: string,
  enterprise_number: string,
): Promise<void> {
  await trx('claimed_enterprise_numbers').where({ enterprise_number, customer_id }).delete();
}

/** Releases the IBANs of accounts that are disabled or deleted. */
export async function releaseIbans(
  trx: Knex.Transaction,
  accounts: readonly { readonly id: string; readonly iban: string }[],
): Promise<void> {
  if (accounts.length === 0) return;
  await trx.raw('delete from claimed_ibans where iban = any(?) and bank_account_id = any(?)', [
    accounts.map(({ iban }) => iban),
    accounts.map(({ id }) => id),
  ]);
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

/** Finds the customers of other firms that have this number or one of these accounts. */
export async function findHolders(
  trx: Knex.Transaction,
  {
    firmId,
    enterpriseNumber,
    ibans,
  }: {
    readonly firmId: string;
    readonly enterpriseNumber?: EnterpriseNumber;
    readonly ibans: readonly string[];
  },
): Promise<CustomerOfFirm[]> {
  const { rows } = await trx.raw<{ rows: CustomerOfFirm[] }>(
    `select customer_id as "customerId", firm_id as "firmId" from claimed_enterprise_numbers
      where enterprise_number = :enterpriseNumber and firm_id <> :firmId
     union
     select customer_id, firm_id from claimed_ibans
      where iban = any(:ibans) and firm_id <> :firmId`,
    { firmId, enterpriseNumber: enterpriseNumber ?? null, ibans: [...ibans] },
  );
  return rows;
}

/** SQL that is true for the customer `c`, not archived, that has an enterprise number. */
export const hasNumber =
  'c.id in (select n.customer_id from claimed_enterprise_numbers n where n.enterprise_number = ?)';

/** SQL that is true for the customer `c` that has an active account with an IBAN. */
export const hasIban = 'c.id in (select n.customer_id from claimed_ibans n where n.iban = ?)';
