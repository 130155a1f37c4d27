import type { Knex } from 'knex';
import { allOf, fragment } from '../api/sql-fragment.js';
import { insertAuditEntries, type NewAuditEntry } from '../audit/audit-entry.js';
import type { EnterpriseNumber } from '../identifiers/enterprise-number.js';
import type { Iban } from '../identifiers/iban.js';
import { newObjectId } from '../identifiers/object-id.js';
import { type Principal, visibleCustomers } from '../identity/principal.js';
import { type CustomerOfFirm, claimIbans, hasIban } from './claims.js';
import { nextUpdate } from './customer-record.js';
import { ibanInUse, type Link, type NewLinks, requireKnown } from './link-rules.js';

/** A customer whose links change, and the user who changes them. */
interface LinkedCustomer {
  readonly customerId: string;
  readonly principal: Principal;
}

/** Links that were added or ended, by their ids. */
interface Links {
  readonly bankAccountIds: readonly string[];
  readonly payrollLinkIds: readonly string[];
}

/** The active account with an IBAN, or the payroll provider with a code. */
export type EndedLink = { readonly iban: string } | { readonly code: string };

/** The links of a customer to end: all of them if it is empty. */
type LinksToEnd = EndedLink | Record<string, never>;

type LinkChange = LinkedCustomer & Links;
type LinksOfFirm = CustomerOfFirm & Links;

/** The accounts to link, and the enterprise number of a customer to create. */
interface WantedLinks {
  readonly firmId: string;
  readonly ibans: readonly Iban[];
  readonly enterpriseNumber?: EnterpriseNumber;
}

/** A customer of another firm that gives way; only an account of it if that is named. */
interface AbandonedLink extends CustomerOfFirm {
  readonly iban: string | null;
}

/**
 * Reacts to changes of customers, in the same transaction. The feature `mandates` implements it.
 */
export interface CustomerListener {
  /** Called with all links that a request added. */
  linked(trx: Knex.Transaction, change: LinkChange): Promise<void>;
  unlinked(trx: Knex.Transaction, change: LinkChange): Promise<void>;
  /** Finds and locks the unsigned links of other firms that give way to wanted ones (D-66). */
  lockAbandoned(trx: Knex.Transaction, wanted: WantedLinks): Promise<AbandonedLink[]>;
  gaveWay(trx: Knex.Transaction, ended: readonly LinksOfFirm[], toFirmId: string): Promise<void>;
  /** Called when an operator moved all links of a customer to a customer of another firm (D-48). */
  transferred(trx: Knex.Transaction, ended: LinksOfFirm, linked: LinksOfFirm): Promise<void>;
  contactEmailChanged(trx: Knex.Transaction, customer: CustomerOfFirm): Promise<void>;
  renamed(trx: Knex.Transaction, customer: CustomerOfFirm): Promise<void>;
}

/**
 * Locks a customer that the principal sees, and returns the fields that the listener follows.
 * Transactions that only refer to the customer do not wait for this lock.
 */
export async function lockCustomer(
  trx: Knex.Transaction,
  principal: Principal,
  id: string,
): Promise<{ readonly name: string; readonly contact_email: string } | undefined> {
  const visible = visibleCustomers(principal);
  const { rows } = await trx.raw<{ rows: { name: string; contact_email: string }[] }>(
    `select c.name, c.contact_email from customers c where c.id = ? and ${visible.sql}
        for no key update of c`,
    [id, ...visible.bindings],
  );
  return rows[0];
}

/**
 * Creates the functions that link and end accounts and providers. Only erasure (D-63), which
 * removes the mandates itself, writes these tables elsewhere, so the listener learns of every other
 * change.
 */
export function createCustomerLinks(listener: CustomerListener) {
  return {
    /**
     * Links accounts and providers. The transaction must be rolled back if it throws.
     *
     * @throws ApiError `ibanInUse`, `unknownPayrollProvider`, and what the listener throws
     */
    async link(trx: Knex.Transaction, customer: LinkedCustomer, links: NewLinks): Promise<void> {
      const accounts = links.bankAccounts ?? [];
      const bankAccountIds = await linkBankAccounts(trx, listener, customer, accounts);
      const payrollLinkIds = await linkProviders(trx, customer, links.payrollProviders ?? []);
      await listener.linked(trx, { ...customer, bankAccountIds, payrollLinkIds });
    },

    /** Returns false if the customer has no such active links. */
    async end(trx: Knex.Transaction, customer: LinkedCustomer, which: LinksToEnd = {}) {
      const ended = await endLinks(trx, ofFirm(customer), which);
      await listener.unlinked(trx, { ...customer, ...ended });
      return ended.bankAccountIds.length + ended.payrollLinkIds.length > 0;
    },

    /** Ends all links of a customer, and links the same to a customer of another firm (D-48). */
    async transfer(trx: Knex.Transaction, from: CustomerOfFirm, to: CustomerOfFirm): Promise<void> {
      const ended = await endLinks(trx, from, {});
      const linked = {
        bankAccountIds: await copy(trx, bankAccounts, ended.bankAccountIds, from, to),
        payrollLinkIds: await copy(trx, providers, ended.payrollLinkIds, from, to),
      };
      await listener.transferred(trx, { ...from, ...ended }, { ...to, ...linked });
    },

    makeWay: (trx: Knex.Transaction, to: CustomerOfFirm, wanted: Omit<WantedLinks, 'firmId'>) =>
      makeWay(trx, listener, to, wanted),
  };
}

const ofFirm = ({ customerId, principal }: LinkedCustomer): CustomerOfFirm => ({
  customerId,
  firmId: principal.firmId,
});

/**
 * Claims IBANs in order, so that concurrent calls with the same IBANs wait for each other and do
 * not deadlock. The ids keep the order of the request.
 */
async function linkBankAccounts(
  trx: Knex.Transaction,
  listener: CustomerListener,
  linked: LinkedCustomer,
  links: readonly Link<Iban>[],
): Promise<string[]> {
  if (links.length === 0) return [];
  const customer = ofFirm(linked);
  const accounts = links.map(({ value }) => ({ id: newObjectId(), iban: value }));
  let rest = accounts.toSorted((a, b) => (a.iban < b.iban ? -1 : 1));
  for (;;) {
    const free = await claimIbans(trx, customer, rest);
    rest = rest.filter(({ iban }) => !free.has(iban));
    if (rest.length === 0) break;
    const kept = new Set(rest.map(({ iban }) => iban));
    if (await makeWay(trx, listener, customer, { ibans: [...kept] })) continue;
    const taken = links.find(({ value }) => kept.has(value));
    if (taken === undefined) throw new Error('An account that was not wanted is in use');
    throw ibanInUse(taken, await seesAccount(trx, linked.principal, taken.value));
  }
  await insertLinks(trx, bankAccounts, customer, accounts);
  return accounts.map(({ id }) => id);
}

/**
 * Ends what other firms have of wanted links, where it gives way (D-66). A customer that gives way
 * is archived as by a transfer. Returns false if nothing gives way, or not the number.
 */
async function makeWay(
  trx: Knex.Transaction,
  listener: CustomerListener,
  to: CustomerOfFirm,
  wanted: Omit<WantedLinks, 'firmId'>,
): Promise<boolean> {
  const abandoned = await listener.lockAbandoned(trx, { ...wanted, firmId: to.firmId });
  const needed = wanted.enterpriseNumber === undefined ? abandoned : abandoned.filter(isCustomer);
  if (needed.length === 0) return false;
  const ended: LinksOfFirm[] = [];
  for (const { iban, ...from } of abandoned) {
    const isAll = iban === null;
    ended.push({ ...from, ...(await endLinks(trx, from, isAll ? {} : { iban })) });
    await trx.raw(
      `update customers c
          set updated_on = ${nextUpdate} ${isAll ? ', archived_on = now(), transferred_to = ?' : ''}
        where c.id = ? and c.firm_id = ?`,
      [...(isAll ? [to.customerId] : []), from.customerId, from.firmId],
    );
  }
  const byCustomer = new Map(ended.map((links) => [links.customerId, links]));
  await insertAuditEntries(trx, [...byCustomer.values()].map(entryOf));
  await listener.gaveWay(trx, ended, to.firmId);
  return true;
}

const isCustomer = ({ iban }: AbandonedLink) => iban === null;

/** The entry of a firm whose link gave way. It does not say to whom. */
const entryOf = ({ firmId, customerId }: CustomerOfFirm): NewAuditEntry => ({
  occurredOn: new Date(),
  actor: 'service',
  firmId,
  customerId,
  action: 'link gave way',
  outcome: 'done',
});

async function seesAccount(
  trx: Knex.Transaction,
  principal: Principal,
  iban: Iban,
): Promise<boolean> {
  const { sql, bindings } = allOf([fragment(hasIban, iban), visibleCustomers(principal)]);
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `select from customers c where ${sql}`,
    bindings,
  );
  return rows.length > 0;
}

async function linkProviders(
  trx: Knex.Transaction,
  customer: LinkedCustomer,
  links: readonly Link<string>[],
): Promise<string[]> {
  if (links.length === 0) return [];
  const codes = links.map(({ value }) => value);
  const known = await trx('payroll_providers').whereIn('code', codes).pluck<string[]>('code');
  requireKnown(links, known);
  const linked = codes.map((code) => ({ id: newObjectId(), code }));
  await insertLinks(trx, providers, ofFirm(customer), linked);
  return linked.map(({ id }) => id);
}

async function insertLinks(
  trx: Knex.Transaction,
  { table }: typeof bankAccounts,
  { customerId: customer_id, firmId: firm_id }: CustomerOfFirm,
  links: readonly object[],
): Promise<void> {
  await trx(table).insert(links.map((link) => ({ ...link, firm_id, customer_id })));
}

const bankAccounts = {
  table: 'bank_accounts',
  endedOn: 'disabled_on',
  copied: 'iban, currency',
};
const providers = {
  table: 'customer_payroll_providers',
  endedOn: 'removed_on',
  copied: 'code',
};

async function endLinks(
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
async function copy(
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
