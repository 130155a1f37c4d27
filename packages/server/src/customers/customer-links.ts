import type { Knex } from 'knex';
import { ApiError } from '../http/api-error.js';
import type { Iban } from '../identifiers/iban.js';
import { newObjectId } from '../identifiers/object-id.js';

/*
 * Where a customer's bank accounts and payroll providers begin and end: the only place that writes
 * them. Whatever has to happen with a link, in the same transaction, happens here.
 */

/** Something to link, and where in the request it stands. */
export interface Link<Value> {
  readonly value: Value;
  /** The field or path parameter, for the details of an error. */
  readonly path: string;
}

/**
 * Links bank accounts to a customer.
 *
 * Rows are inserted in the order of their IBANs, so that two calls that want the same ones wait
 * for each other instead of deadlocking; ids keep the order in which they were named.
 *
 * @throws ApiError `ibanInUse` naming each IBAN that is an active account already (D-16)
 */
export async function linkBankAccounts(
  trx: Knex.Transaction,
  customerId: string,
  links: readonly Link<Iban>[],
): Promise<void> {
  if (links.length === 0) return;
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
}

/**
 * Links payroll providers to a customer.
 *
 * @throws ApiError `unknownPayrollProvider` naming each code that does not exist
 */
export async function linkPayrollProviders(
  trx: Knex.Transaction,
  customerId: string,
  links: readonly Link<string>[],
): Promise<void> {
  if (links.length === 0) return;
  const codes = links.map(({ value }) => value);
  const known = await trx('payroll_providers').whereIn('code', codes).pluck<string[]>('code');
  const unknown = links.filter(({ value }) => !known.includes(value));
  if (unknown.length > 0) {
    throw new ApiError('unknownPayrollProvider', {
      details: unknown.map(({ path }) => ({ path, message: 'is not a known payroll provider' })),
    });
  }
  await trx('customer_payroll_providers').insert(
    codes.map((code) => ({ id: newObjectId(), customer_id: customerId, code })),
  );
}

/** Closes the active bank accounts of a customer, or one of them; answers whether there was any. */
export async function closeBankAccounts(
  trx: Knex.Transaction,
  which: { readonly customer_id: string; readonly iban?: string },
): Promise<boolean> {
  const closed = await trx('bank_accounts')
    .where(which)
    .whereNull('disabled_on')
    .update({ disabled_on: trx.fn.now() });
  return closed > 0;
}

/** Closes the active payroll providers of a customer, or one; answers whether there was any. */
export async function closePayrollProviders(
  trx: Knex.Transaction,
  which: { readonly customer_id: string; readonly code?: string },
): Promise<boolean> {
  const closed = await trx('customer_payroll_providers')
    .where(which)
    .whereNull('removed_on')
    .update({ removed_on: trx.fn.now() });
  return closed > 0;
}
