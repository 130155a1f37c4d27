import type { Knex } from 'knex';
import type { Iban } from '../identifiers/iban.js';
import { newObjectId } from '../identifiers/object-id.js';
import { type CustomerOfFirm, claimIbans, releaseIbans, rememberProviders } from './claims.js';
import type { Links } from './customer-listener.js';

/** The active account with an IBAN, or the payroll provider with a code. */
export type EndedLink = { readonly iban: string } | { readonly code: string };

/** The links of a customer to end: all of them if it is empty. */
export type LinksToEnd = EndedLink | Record<string, never>;

export async function insertLinks(
  trx: Knex.Transaction,
  { table }: Pick<typeof bankAccounts, 'table'>,
  { customerId: customer_id, firmId: firm_id }: CustomerOfFirm,
  links: readonly object[],
): Promise<void> {
  await trx(table).insert(links.map((link) => ({ ...link, firm_id, customer_id })));
}

export const bankAccounts = {
  table: 'bank_accounts',
  endedOn: 'disabled_on',
  copied: ['iban', 'currency'],
};
export const providers = {
  table: 'customer_payroll_providers',
  endedOn: 'removed_on',
  copied: ['code'],
};

/** Ends links, and releases what they claimed. */
export async function endLinks(
  trx: Knex.Transaction,
  customer: CustomerOfFirm,
  which: LinksToEnd,
): Promise<Links> {
  const accounts = 'code' in which ? [] : await end(trx, bankAccounts, customer, which);
  await releaseIbans(trx, accounts);
  const payrollLinks = 'iban' in which ? [] : await end(trx, providers, customer, which);
  return { bankAccountIds: accounts.map(idOf), payrollLinkIds: payrollLinks.map(idOf) };
}

const idOf = ({ id }: { readonly id: string }) => id;

async function end(
  trx: Knex.Transaction,
  { table, endedOn, copied }: typeof bankAccounts,
  { customerId: customer_id, firmId: firm_id }: CustomerOfFirm,
  which: LinksToEnd,
): Promise<{ id: string; iban: string }[]> {
  return trx(table)
    .where({ firm_id, customer_id, [endedOn]: null, ...which })
    .update({ [endedOn]: trx.fn.now() })
    .returning(['id', ...copied]);
}

/** Copies accounts to a customer, and returns the new ids in the order of the others. */
export async function copyAccounts(
  trx: Knex.Transaction,
  ids: readonly string[],
  from: CustomerOfFirm,
  to: CustomerOfFirm,
): Promise<string[]> {
  const copies = await copyLinks<{ id: string; iban: Iban }>(trx, bankAccounts, ids, from, to);
  if (copies.length === 0) return [];
  const claimed = await claimIbans(trx, to, copies);
  if (claimed.size < copies.length) throw new Error('An account that was just ended is in use');
  return copies.map(idOf);
}

/** Copies payroll providers likewise. */
export async function copyProviders(
  trx: Knex.Transaction,
  ids: readonly string[],
  from: CustomerOfFirm,
  to: CustomerOfFirm,
): Promise<string[]> {
  const copies = await copyLinks<{ id: string; code: string }>(trx, providers, ids, from, to);
  if (copies.length === 0) return [];
  await rememberProviders(
    trx,
    to,
    copies.map(({ code }) => code),
  );
  return copies.map(idOf);
}

async function copyLinks<Row extends { readonly id: string }>(
  trx: Knex.Transaction,
  { table, copied }: typeof bankAccounts,
  ids: readonly string[],
  { firmId }: CustomerOfFirm,
  to: CustomerOfFirm,
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const links = await trx(table)
    .where({ firm_id: firmId })
    .whereRaw('id = any(?)', [[...ids]])
    .orderBy('id')
    .select<unknown[]>(copied);
  const copies = (links as Row[]).map((link) => ({ ...link, id: newObjectId() }));
  await insertLinks(trx, { table }, to, copies);
  return copies;
}
