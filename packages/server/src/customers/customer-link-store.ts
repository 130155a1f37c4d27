import type { BankAccount, PayrollProvider } from '@adx/contract';
import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import type { Iban } from '../identifiers/iban.js';
import type { Principal } from '../identity/principal.js';
import type { Author } from '../identity/request-context.js';
import { createCustomerLinks, lockCustomer } from './customer-links.js';
import type { CustomerListener } from './customer-listener.js';
import {
  accountsWithBanks,
  type BankAccountRecord,
  bankAccountJson,
  nextUpdate,
  payrollProviderJson,
  toBankAccount,
} from './customer-record.js';
import type { EndedLink } from './link-rows.js';
import type { NewLinks } from './link-rules.js';

export type CustomerLinkStore = ReturnType<typeof createCustomerLinkStore>;

/**
 * Creates the functions that add and end links. Each change locks the customer first, so that
 * changes of a customer run one after another, and adding a link twice adds it once (D-15).
 */
export function createCustomerLinkStore(knex: Knex, listener: CustomerListener) {
  const links = createCustomerLinks(listener);

  /**
   * Adds a link, or returns one that is present already as it is (D-15). Returns undefined if the
   * principal cannot see the customer.
   */
  const add = <Added>(
    { principal, record }: Author,
    customerId: string,
    link: NewLinks,
    find: (trx: Knex.Transaction, principal: Principal) => Promise<Added | undefined>,
  ): Promise<Added | undefined> =>
    inTransaction(knex, async (trx) => {
      if ((await lockCustomer(trx, principal, customerId)) === undefined) return undefined;
      await record(trx);
      const present = await find(trx, principal);
      if (present !== undefined) return present;
      await links.link(trx, { customerId, principal }, link);
      await setUpdatedOn(trx, principal, customerId);
      return find(trx, principal);
    });

  return {
    /** @throws ApiError `ibanInUse`, `tooManyUnsignedLinks` */
    addBankAccount: (author: Author, customerId: string, iban: Iban) =>
      add(author, customerId, { bankAccounts: [{ value: iban, path: 'iban' }] }, (trx, principal) =>
        findBankAccount(trx, principal, customerId, iban),
      ),

    /** @throws ApiError `unknownPayrollProvider`, `tooManyUnsignedLinks` */
    addPayrollProvider: (author: Author, customerId: string, code: string) =>
      add(
        author,
        customerId,
        { payrollProviders: [{ value: code, path: 'code' }] },
        (trx, principal) => findPayrollProvider(trx, principal, customerId, code),
      ),

    /** Returns false if the principal sees no such customer or there is no such link. */
    end: ({ principal, record }: Author, customerId: string, link: EndedLink): Promise<boolean> =>
      inTransaction(knex, async (trx) => {
        if ((await lockCustomer(trx, principal, customerId)) === undefined) return false;
        if (!(await links.end(trx, { customerId, principal }, link))) return false;
        await record(trx);
        await setUpdatedOn(trx, principal, customerId);
        return true;
      }),
  };
}

async function setUpdatedOn(
  trx: Knex.Transaction,
  { firmId }: Principal,
  customerId: string,
): Promise<void> {
  await trx.raw(
    `update customers c set updated_on = ${nextUpdate} where c.id = ? and c.firm_id = ?`,
    [customerId, firmId],
  );
}

async function findBankAccount(
  trx: Knex.Transaction,
  { firmId }: Principal,
  customerId: string,
  iban: Iban,
): Promise<BankAccount | undefined> {
  const { rows } = await trx.raw<{ rows: { account: BankAccountRecord }[] }>(
    `select ${bankAccountJson} as account from ${accountsWithBanks}
      where a.firm_id = ? and a.customer_id = ? and a.iban = ? and a.disabled_on is null`,
    [firmId, customerId, iban],
  );
  return rows[0] && toBankAccount(rows[0].account);
}

async function findPayrollProvider(
  trx: Knex.Transaction,
  { firmId }: Principal,
  customerId: string,
  code: string,
): Promise<PayrollProvider | undefined> {
  const { rows } = await trx.raw<{ rows: { provider: PayrollProvider }[] }>(
    `select ${payrollProviderJson} as provider
       from customer_payroll_providers l join payroll_providers p on p.code = l.code
      where l.firm_id = ? and l.customer_id = ? and l.code = ? and l.removed_on is null`,
    [firmId, customerId, code],
  );
  return rows[0]?.provider;
}
