import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { knexForFile } from '../support/knex-for-file.js';
import {
  insertBankAccount,
  insertCustomer,
  insertFirm,
  insertPayrollProvider,
  insertUser,
} from '../support/rows.js';

const CONCURRENT = 8;
const knex = await knexForFile({ poolSize: CONCURRENT });
const firmId = await insertFirm(knex);
const otherFirmId = await insertFirm(knex);

/**
 * Runs an insertion in several transactions that are all open before the first of them commits.
 *
 * @returns the number of successes, and the constraints that the others violated
 */
async function race(insertion: (trx: Knex.Transaction, n: number) => Promise<unknown>) {
  const transactions = await Promise.all(
    Array.from({ length: CONCURRENT }, () => knex.transaction()),
  );
  const outcomes = await Promise.allSettled(
    transactions.map(async (trx, n) => {
      try {
        await insertion(trx, n);
        await trx.commit();
      } catch (error) {
        await trx.rollback();
        throw error;
      }
    }),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  return {
    succeeded: outcomes.length - refused.length,
    constraints: new Set(refused.map(({ reason }) => reason.constraint)),
  };
}

test('D-16 an enterprise number is active once across all firms, also when registered concurrently', async () => {
  const register = (trx: Knex, n: number) =>
    insertCustomer(trx, n % 2 === 0 ? firmId : otherFirmId, { enterprise_number: '0403019261' });
  expect(await race(register)).toEqual({
    succeeded: 1,
    constraints: new Set(['claimed_enterprise_numbers_pkey']),
  });
});

test('D-16 archiving frees the enterprise number for one other customer', async () => {
  const number = { enterprise_number: '0477472701' };
  const archived = await insertCustomer(knex, firmId, number);
  await knex('customers').where({ id: archived }).update({ archived_on: new Date() });
  const { succeeded } = await race((trx) => insertCustomer(trx, otherFirmId, number));
  expect(succeeded).toBe(1);
});

test('D-16 an IBAN is active once across the service, also when linked concurrently', async () => {
  const customers = await Promise.all(
    [firmId, otherFirmId].map((firm) => insertCustomer(knex, firm)),
  );
  const link = (trx: Knex, n: number) =>
    insertBankAccount(trx, customers[n % 2] ?? '', { iban: 'BE71096123456769' });
  expect(await race(link)).toEqual({
    succeeded: 1,
    constraints: new Set(['claimed_ibans_pkey']),
  });
});

test('D-16 disabling frees the IBAN for one other account', async () => {
  const customerId = await insertCustomer(knex, firmId);
  const iban = { iban: 'BE54000000000097' };
  const disabled = await insertBankAccount(knex, customerId, iban);
  await knex('bank_accounts').where({ id: disabled }).update({ disabled_on: new Date() });
  const { succeeded } = await race((trx) => insertBankAccount(trx, customerId, iban));
  expect(succeeded).toBe(1);
});

test('D-15 a payroll provider is active once for a customer, and can be linked again after it was removed', async () => {
  const customerId = await insertCustomer(knex, firmId);
  const link = (trx: Knex) => insertPayrollProvider(trx, customerId, { code: 'sdworx' });
  expect(await race(link)).toEqual({
    succeeded: 1,
    constraints: new Set(['customer_payroll_providers_active']),
  });
  await knex('customer_payroll_providers')
    .where({ customer_id: customerId })
    .update({ removed_on: new Date() });
  await link(knex);
});

test('§5 a username is unique regardless of case', async () => {
  const user = (trx: Knex, n: number) =>
    insertUser(trx, firmId, { username: `${n % 2 === 0 ? 'an' : 'AN'}@Kantoor.example` });
  expect(await race(user)).toEqual({
    succeeded: 1,
    constraints: new Set(['users_username_key']),
  });
});
