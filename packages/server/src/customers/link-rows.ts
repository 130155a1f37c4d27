import type { Knex } from 'knex';
import { newObjectId } from '../identifiers/object-id.js';
import type { CustomerOfFirm } from './claims.js';
import type { Links } from './customer-listener.js';

/** The active account with an IBAN, or the payroll provider with a code. */
export type EndedLink = { readonly iban: string } | { readonly code: string };

/** The links of a customer to end: all of them if it is empty. */
export type LinksToEnd = EndedLink | Record<string, never>;

export async function insertLinks(
  trx: Knex.Transaction,
  { table }: typeof bankAccounts,
  { customerId: customer_id, firmId: firm_id }: CustomerOfFirm,
  links: readonly object[],
): Promise<void> {
  await trx(table).insert(links.map((link) => ({ ...link, firm_id, customer_id })));
}

export const bankAccounts = {
  table: 'bank_accounts',
  endedOn: 'disabled_on',
  copied: 'iban, currency',
};
export const providers = {
  table: 'customer_payroll_providers',
  endedOn: 'removed_on',
  copied: 'code',
};

export async function endLinks(
  trx: Knex.Transaction,
  customer: CustomerOfFirm,
  which: LinksToEnd,
): Promise<Links> {
  return {
    bankAccountIds: 'code' in which ? [] : await end(trx, bankAccounts, customer, which),
    payrollLinkIds: 'iban' in which ? [] : await end(trx, providers, customer, which),
  };
}

async function end(
  trx: Knex.Transaction,
  { table, endedOn }: typeof bankAccounts,
  { customerId: customer_id, firmId: firm_id }: CustomerOfFirm,
  which: LinksToEnd,
): Promise<string[]> {
  const ended = await trx(table)
    .where({ firm_id, customer_id, [endedOn]: null, ...which })
    .update({ [endedOn]: trx.fn.now() })
    .returning<{ id: string }[]>('id');
  return ended.map(({ id }) => id);
}

/** Copies links to a customer, and returns the new ids in the order of the others. */
export async function copyLinks(
  trx: Knex.Transaction,
  { table, copied }: typeof bankAccounts,
  ids: readonly string[],
  from: CustomerOfFirm,
  { firmId, customerId }: CustomerOfFirm,
): Promise<string[]> {
  const copies = ids.toSorted().map((id) => ({ id, copy: newObjectId() }));
  await trx.raw(
    `insert into ${table} (id, firm_id, customer_id, ${copied})
     select copies.copy, ?, ?, ${copied}
       from ${table} l join jsonb_to_recordset(?::jsonb) as copies (id text, copy text) on copies.id = l.id
      where l.firm_id = ?`,
    [firmId, customerId, JSON.stringify(copies), from.firmId],
  );
  return copies.map(({ copy }) => copy);
}
