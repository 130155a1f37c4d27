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

/** An active bank account, or an active payroll provider, that a request ends. */
export type EndedLink = { readonly iban: Iban } | { readonly code: string };

/** Links that were added or ended, by their ids. */
interface Links {
  readonly bankAccountIds: readonly string[];
  readonly payrollLinkIds: readonly string[];
}

type LinkChange = LinkedCustomer & Links;
type LinksOfFirm = CustomerOfFirm & Links;

/**
 * The accounts that a firm wants to link, and the enterprise number of a customer that it wants to
 * create.
 */
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
  /** Called with the links that ended. */
  unlinked(trx: Knex.Transaction, change: LinkChange): Promise<void>;
  /** Finds and locks the unsigned links of other firms that give way to wanted ones (D-66). */
  lockAbandoned(trx: Knex.Transaction, wanted: WantedLinks): Promise<AbandonedLink[]>;
  /** Called with the links that gave way to another firm. */
  gaveWay(trx: Knex.Transaction, ended: readonly LinksOfFirm[], toFirmId: string): Promise<void>;
  /** Called when an operator moved all links of a customer to a customer of another firm (D-48). */
  transferred(trx: Knex.Transaction, ended: LinksOfFirm, linked: LinksOfFirm): Promise<void>;
  /** Called when the e-mail address of the contact changed. */
  contactEmailChanged(trx: Knex.Transaction, customer: CustomerOfFirm): Promise<void>;
  /** Called when the name changed. */
  renamed(trx: Knex.Transaction, customer: CustomerOfFirm): Promise<void>;
}

/**
 * Locks a customer that the principal sees, and returns the fields that the listener follows.
 * Transactions that only refer to the customer, such as an answer to its signature request, do not
 * wait for this lock.
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
 * Creates the functions that add and end the bank accounts and payroll providers of customers. Only
 * erasure (D-63), which removes the mandates itself, writes these tables elsewhere, so the listener
 * learns of every other change.
 */
export function createCustomerLinks(listener: CustomerListener) {
  /** Tells the listener which links ended. Returns false if none did. */
  async function ended(
    trx: Knex.Transaction,
    customer: LinkedCustomer,
    { bankAccountIds = [], payrollLinkIds = [] }: Partial<Links>,
  ): Promise<boolean> {
    await listener.unlinked(trx, { ...customer, bankAccountIds, payrollLinkIds });
    return bankAccountIds.length + payrollLinkIds.length > 0;
  }

  return {
    /**
     * Links bank accounts and payroll providers to a customer.
     *
     * @throws ApiError `ibanInUse`, `unknownPayrollProvider`, and what the listener throws; then
     *   the transaction must be rolled back
     */
    async link(trx: Knex.Transaction, customer: LinkedCustomer, links: NewLinks): Promise<void> {
      const accounts = links.bankAccounts ?? [];
      const bankAccountIds = await linkBankAccounts(trx, listener, customer, accounts);
      const payrollLinkIds = await linkProviders(trx, customer, links.payrollProviders ?? []);
      await listener.linked(trx, { ...customer, bankAccountIds, payrollLinkIds });
    },

    /** Ends an active link. Returns false if there is none. */
    async end(trx: Knex.Transaction, customer: LinkedCustomer, link: EndedLink) {
      const of = ofFirm(customer);
      return 'iban' in link
        ? ended(trx, customer, { bankAccountIds: await end(trx, bankAccounts, of, link) })
        : ended(trx, customer, { payrollLinkIds: await end(trx, providers, of, link) });
    },

    /** Ends all links of a customer, and links the same to a customer of another firm (D-48). */
    async transfer(trx: Knex.Transaction, from: CustomerOfFirm, to: CustomerOfFirm): Promise<void> {
      const bankAccountIds = await end(trx, bankAccounts, from);
      const payrollLinkIds = await end(trx, providers, from);
      await listener.transferred(
        trx,
        { ...from, bankAccountIds, payrollLinkIds },
        {
          ...to,
          bankAccountIds: await copy(trx, bankAccounts, bankAccountIds, from, to),
          payrollLinkIds: await copy(trx, providers, payrollLinkIds, from, to),
        },
      );
    },

    makeWay: (trx: Knex.Transaction, to: CustomerOfFirm, wanted: Omit<WantedLinks, 'firmId'>) =>
      makeWay(trx, listener, to, wanted),

    /** Ends all links of a customer. Returns false if there are none. */
    endAll: async (trx: Knex.Transaction, customer: LinkedCustomer) =>
      ended(trx, customer, {
        bankAccountIds: await end(trx, bankAccounts, ofFirm(customer)),
        payrollLinkIds: await end(trx, providers, ofFirm(customer)),
      }),
  };
}

const ofFirm = ({ customerId, principal }: LinkedCustomer): CustomerOfFirm => ({
  customerId,
  firmId: principal.firmId,
});

/**
 * Inserts bank accounts. Their IBANs are claimed in order, so that concurrent calls with the same
 * IBANs wait for each other and do not deadlock. The ids keep the order of the request.
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
 * is archived as by a transfer: its files stay listed. Returns false if nothing gives way, or not
 * the number.
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
    const bankAccountIds = await end(trx, bankAccounts, from, isAll ? {} : { iban });
    const payrollLinkIds = isAll ? await end(trx, providers, from) : [];
    ended.push({ ...from, bankAccountIds, payrollLinkIds });
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

/** Returns true if the IBAN is that of an active account of a customer that the principal sees. */
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

/** Ends the active links of a customer that match, and returns their ids. */
async function end(
  trx: Knex.Transaction,
  { table, endedOn }: typeof bankAccounts,
  { customerId: customer_id, firmId: firm_id }: CustomerOfFirm,
  which: { readonly iban?: string; readonly code?: string } = {},
): Promise<string[]> {
  const ended = await trx(table)
    .where({ firm_id, customer_id, [endedOn]: null, ...which })
    .update({ [endedOn]: trx.fn.now() })
    .returning<{ id: string }[]>('id');
  return ended.map(({ id }) => id);
}

/**
 * Links what other links have to a customer, and returns the new ids in the order of the others.
 */
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
