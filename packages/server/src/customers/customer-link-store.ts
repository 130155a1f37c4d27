import type { BankAccount, PayrollProvider } from '@adx/contract';
import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import { inTransaction } from '../db/transaction.js';
import type { Iban } from '../identifiers/iban.js';
import { type Principal, visibleCustomers } from '../identity/principal.js';
import { type CustomerFollower, createCustomerLinks } from './customer-links.js';
import {
  accountsWithBanks,
  type BankAccountRecord,
  bankAccountJson,
  nextUpdate,
  toBankAccount,
} from './customer-record.js';

export type CustomerLinkStore = ReturnType<typeof createCustomerLinkStore>;

/**
 * Adding and removing the bank accounts and payroll providers of one customer.
 *
 * Each change locks the customer first: changes of one customer happen one after another, and
 * adding the same thing twice at the same time links it once (D-15).
 */
export function createCustomerLinkStore(knex: Knex, follower: CustomerFollower) {
  const links = createCustomerLinks(follower);
  return {
    /** @throws ApiError `notFound`, `ibanInUse` */
    addBankAccount: (principal: Principal, customerId: string, iban: Iban): Promise<BankAccount> =>
      changing(knex, principal, customerId, async (trx) => {
        const present = await findBankAccount(trx, customerId, iban);
        if (present !== undefined) return present;
        const bankAccounts = [{ value: iban, path: 'iban' }];
        await links.link(trx, { customerId, principal }, { bankAccounts });
        await touch(trx, customerId);
        return found(await findBankAccount(trx, customerId, iban));
      }),

    /** @throws ApiError `notFound`, also when the customer has no such active account */
    disableBankAccount: (principal: Principal, customerId: string, iban: Iban): Promise<void> =>
      changing(knex, principal, customerId, async (trx) => {
        if (!(await links.endBankAccount(trx, { customerId, principal }, iban))) {
          throw new ApiError('notFound');
        }
        await touch(trx, customerId);
      }),

    /** @throws ApiError `notFound`, `unknownPayrollProvider` */
    addPayrollProvider: (
      principal: Principal,
      customerId: string,
      code: string,
    ): Promise<PayrollProvider> =>
      changing(knex, principal, customerId, async (trx) => {
        const present = await findPayrollProvider(trx, customerId, code);
        if (present !== undefined) return present;
        const payrollProviders = [{ value: code, path: 'code' }];
        await links.link(trx, { customerId, principal }, { payrollProviders });
        await touch(trx, customerId);
        return found(await findPayrollProvider(trx, customerId, code));
      }),

    /** @throws ApiError `notFound`, also when the customer has no such active provider */
    removePayrollProvider: (
      principal: Principal,
      customerId: string,
      code: string,
    ): Promise<void> =>
      changing(knex, principal, customerId, async (trx) => {
        if (!(await links.endPayrollProvider(trx, { customerId, principal }, code))) {
          throw new ApiError('notFound');
        }
        await touch(trx, customerId);
      }),
  };
}

/** Runs a change of a customer that the principal may see, holding its row. */
function changing<Result>(
  knex: Knex,
  principal: Principal,
  customerId: string,
  change: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(knex, async (trx) => {
    const visible = visibleCustomers(principal);
    const { rows } = await trx.raw<{ rows: unknown[] }>(
      `select c.id from customers c where c.id = ? and ${visible.sql} for no key update of c`,
      [customerId, ...visible.bindings],
    );
    if (rows.length === 0) throw new ApiError('notFound');
    return change(trx);
  });
}

async function touch(trx: Knex.Transaction, customerId: string): Promise<void> {
  await trx.raw(`update customers c set updated_on = ${nextUpdate} where c.id = ?`, [customerId]);
}

async function findBankAccount(
  trx: Knex.Transaction,
  customerId: string,
  iban: Iban,
): Promise<BankAccount | undefined> {
  const { rows } = await trx.raw<{ rows: { account: BankAccountRecord }[] }>(
    `select ${bankAccountJson} as account from ${accountsWithBanks}
      where a.customer_id = ? and a.iban = ? and a.disabled_on is null`,
    [customerId, iban],
  );
  return rows[0] && toBankAccount(rows[0].account);
}

async function findPayrollProvider(
  trx: Knex.Transaction,
  customerId: string,
  code: string,
): Promise<PayrollProvider | undefined> {
  const { rows } = await trx.raw<{ rows: PayrollProvider[] }>(
    `select p.code, p.name_fr as "nameFr", p.name_nl as "nameNl"
       from customer_payroll_providers l join payroll_providers p on p.code = l.code
      where l.customer_id = ? and l.code = ? and l.removed_on is null`,
    [customerId, code],
  );
  return rows[0];
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('What was just linked is not there');
  return value;
}
