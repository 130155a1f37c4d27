import type { Knex } from 'knex';
import { allOf, fragment } from '../api/sql-fragment.js';
import { insertAuditEntries, type NewAuditEntry } from '../audit/audit-entry.js';
import type { Iban } from '../identifiers/iban.js';
import { newObjectId } from '../identifiers/object-id.js';
import { type Principal, visibleCustomers } from '../identity/principal.js';
import {
  type CustomerOfFirm,
  claimIbans,
  findHolders,
  hasIban,
  releaseNumber,
  rememberProviders,
} from './claims.js';
import type {
  AbandonedLink,
  CustomerListener,
  LinkedCustomer,
  LinksOfFirm,
  WantedLinks,
} from './customer-listener.js';
import { nextUpdate } from './customer-record.js';
import {
  bankAccounts,
  copyAccounts,
  copyProviders,
  endLinks,
  insertLinks,
  type LinksToEnd,
  providers,
} from './link-rows.js';
import { ibanInUse, type Link, type NewLinks, requireKnown } from './link-rules.js';

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
        bankAccountIds: await copyAccounts(trx, ended.bankAccountIds, from, to),
        payrollLinkIds: await copyProviders(trx, ended.payrollLinkIds, from, to),
      };
      await listener.transferred(trx, { ...from, ...ended }, { ...to, ...linked });
    },

    makeWay: (trx: Knex.Transaction, to: CustomerOfFirm, wanted: Wanted) =>
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

type Wanted = Omit<WantedLinks, 'firmId' | 'holders'>;

/**
 * Ends what other firms have of wanted links, where it gives way (D-66). A customer that gives way
 * is archived as by a transfer. Returns false if nothing gives way, or not the number.
 */
async function makeWay(
  trx: Knex.Transaction,
  listener: CustomerListener,
  to: CustomerOfFirm,
  wanted: Wanted,
): Promise<boolean> {
  const ofFirm = { ...wanted, firmId: to.firmId };
  const holders = await findHolders(trx, ofFirm);
  if (holders.length === 0) return false;
  const abandoned = await listener.lockAbandoned(trx, { ...ofFirm, holders });
  const needed = wanted.enterpriseNumber === undefined ? abandoned : abandoned.filter(isCustomer);
  if (needed.length === 0) return false;
  const ended: LinksOfFirm[] = [];
  for (const { iban, ...from } of abandoned) {
    const isAll = iban === null;
    ended.push({ ...from, ...(await endLinks(trx, from, isAll ? {} : { iban })) });
    const { rows } = await trx.raw<{ rows: { enterprise_number: string }[] }>(
      `update customers c
          set updated_on = ${nextUpdate} ${isAll ? ', archived_on = now(), transferred_to = ?' : ''}
        where c.id = ? and c.firm_id = ? returning c.enterprise_number`,
      [...(isAll ? [to.customerId] : []), from.customerId, from.firmId],
    );
    for (const row of isAll ? rows : []) {
      await releaseNumber(trx, from.customerId, row.enterprise_number);
    }
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
  await rememberProviders(trx, ofFirm(customer), codes);
  return linked.map(({ id }) => id);
}
