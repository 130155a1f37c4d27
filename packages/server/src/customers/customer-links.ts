import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import type { Iban } from '../identifiers/iban.js';
import { newObjectId } from '../identifiers/object-id.js';
import type { Principal } from '../identity/principal.js';

/*
 * Where a customer's bank accounts and payroll providers begin and end: the only place that writes
 * them. What follows from it happens in the same transaction.
 */

/** Something to link, and where in the request it stands. */
export interface Link<Value> {
  readonly value: Value;
  /** The field or path parameter, for the details of an error. */
  readonly path: string;
}

/** What a request links to a customer. */
interface NewLinks {
  readonly bankAccounts?: readonly Link<Iban>[];
  readonly payrollProviders?: readonly Link<string>[];
}

/** Whose links change, and who changes them. */
interface LinkedCustomer {
  readonly customerId: string;
  readonly principal: Principal;
}

/** Begins and ends the links of customers; the follower is told of each change. */
export function createCustomerLinks(follower: CustomerFollower) {
  return {
    /**
     * Links bank accounts and payroll providers to a customer.
     *
     * @throws ApiError `ibanInUse` naming each IBAN that is an active account already (D-16),
     *   `unknownPayrollProvider` naming each code that does not exist
     */
    async link(trx: Knex.Transaction, customer: LinkedCustomer, links: NewLinks): Promise<void> {
      const { customerId } = customer;
      const bankAccountIds = await linkBankAccounts(trx, customerId, links.bankAccounts ?? []);
      const payrollLinkIds = await linkProviders(trx, customerId, links.payrollProviders ?? []);
      await follower.linked(trx, { ...customer, bankAccountIds, payrollLinkIds });
    },

    /** Ends the active bank account with the IBAN; answers whether there was one. */
    async endBankAccount(
      trx: Knex.Transaction,
      customer: LinkedCustomer,
      iban: Iban,
    ): Promise<boolean> {
      const { customerId: customer_id } = customer;
      const bankAccountIds = await endBankAccounts(trx, { customer_id, iban });
      await follower.unlinked(trx, { ...customer, bankAccountIds, payrollLinkIds: [] });
      return bankAccountIds.length > 0;
    },

    /** Ends the active payroll provider with the code; answers whether there was one. */
    async endPayrollProvider(
      trx: Knex.Transaction,
      customer: LinkedCustomer,
      code: string,
    ): Promise<boolean> {
      const { customerId: customer_id } = customer;
      const payrollLinkIds = await endProviders(trx, { customer_id, code });
      await follower.unlinked(trx, { ...customer, bankAccountIds: [], payrollLinkIds });
      return payrollLinkIds.length > 0;
    },

    /** Ends every link of a customer. */
    async endAll(trx: Knex.Transaction, customer: LinkedCustomer): Promise<void> {
      const { customerId: customer_id } = customer;
      const bankAccountIds = await endBankAccounts(trx, { customer_id });
      const payrollLinkIds = await endProviders(trx, { customer_id });
      await follower.unlinked(trx, { ...customer, bankAccountIds, payrollLinkIds });
    },
  };
}

/**
 * Rows are inserted in the order of their IBANs, so that two calls that want the same ones wait for
 * each other instead of deadlocking; ids keep the order in which they were named.
 */
async function linkBankAccounts(
  trx: Knex.Transaction,
  customerId: string,
  links: readonly Link<Iban>[],
): Promise<string[]> {
  if (links.length === 0) return [];
  const accounts = links.map(({ value }) => ({
    id: newObjectId(),
    customer_id: customerId,
    iban: value,
  }));
  const linked = await trx('bank_accounts')
    .insert(accounts.toSorted((a, b) => (a.iban < b.iban ? -1 : 1)))
    .onConflict(trx.raw('(iban) where disabled_on is null'))
    .ignore()
    .returning<{ iban: Iban }[]>('iban');
  const taken = links.filter(({ value }) => !linked.some(({ iban }) => iban === value));
  if (taken.length > 0) {
    throw new ApiError('ibanInUse', {
      details: taken.map(({ path, value }) => ({ path, message: `${value} is already in use` })),
    });
  }
  return accounts.map(({ id }) => id);
}

async function linkProviders(
  trx: Knex.Transaction,
  customerId: string,
  links: readonly Link<string>[],
): Promise<string[]> {
  if (links.length === 0) return [];
  const codes = links.map(({ value }) => value);
  const known = await trx('payroll_providers').whereIn('code', codes).pluck<string[]>('code');
  const unknown = links.filter(({ value }) => !known.includes(value));
  if (unknown.length > 0) {
    throw new ApiError('unknownPayrollProvider', {
      details: unknown.map(({ path }) => ({ path, message: 'is not a known payroll provider' })),
    });
  }
  const linked = codes.map((code) => ({ id: newObjectId(), customer_id: customerId, code }));
  await trx('customer_payroll_providers').insert(linked);
  return linked.map(({ id }) => id);
}

async function endBankAccounts(
  trx: Knex.Transaction,
  which: { readonly customer_id: string; readonly iban?: string },
): Promise<string[]> {
  const ended = await trx('bank_accounts')
    .where(which)
    .whereNull('disabled_on')
    .update({ disabled_on: trx.fn.now() })
    .returning<{ id: string }[]>('id');
  return ended.map(({ id }) => id);
}

async function endProviders(
  trx: Knex.Transaction,
  which: { readonly customer_id: string; readonly code?: string },
): Promise<string[]> {
  const ended = await trx('customer_payroll_providers')
    .where(which)
    .whereNull('removed_on')
    .update({ removed_on: trx.fn.now() })
    .returning<{ id: string }[]>('id');
  return ended.map(({ id }) => id);
}

/** Bank accounts and payroll providers of a customer, by the ids of their links. */
interface LinkIds {
  readonly bankAccountIds: readonly string[];
  readonly payrollLinkIds: readonly string[];
}

/** A customer whose links change, and who changes them. */
interface LinkChange extends LinkIds {
  readonly customerId: string;
  readonly principal: Principal;
}

/** What follows a change of a customer, in its transaction: mandates begin, end and are sent again. */
export interface CustomerFollower {
  /** Links were added, all of them in one request. */
  linked(trx: Knex.Transaction, change: LinkChange): Promise<void>;
  /** Links ended. */
  unlinked(trx: Knex.Transaction, change: LinkChange): Promise<void>;
  /** The e-mail address of the contact changed. */
  contactMoved(trx: Knex.Transaction, customerId: string): Promise<void>;
  /** The name changed. */
  renamed(trx: Knex.Transaction, customerId: string): Promise<void>;
}
