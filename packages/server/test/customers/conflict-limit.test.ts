import { expect, onTestFinished, test, vi } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { ApiError } from '../../src/api/api-error.js';
import { createConflictLimit } from '../../src/customers/conflict-limit.js';
import { createCustomerLinkStore } from '../../src/customers/customer-link-store.js';
import type { Iban } from '../../src/identifiers/iban.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { asAuthor } from '../support/as-author.js';
import { knexForFile } from '../support/knex-for-file.js';
import { insertBankAccount, insertCustomer, insertFirm, insertUser } from '../support/rows.js';

const conflict = async () => {
  throw new ApiError('ibanInUse');
};
const succeed = async () => 'created';
const tooMany = { code: 'tooManyRequests' };

test('D-23 changes without a conflict, and other errors, do not count', async () => {
  const limit = createConflictLimit({ conflicts: 1 });
  for (let n = 0; n < 20; n += 1) expect(await limit('firm', succeed)).toBe('created');
  for (const code of ['customerExists', 'unknownPayrollProvider'] as const) {
    const fail = limit('firm', async () => {
      throw new ApiError(code);
    });
    await expect(fail).rejects.toMatchObject({ code });
  }
  await expect(limit('firm', conflict)).rejects.toMatchObject({ code: 'ibanInUse' });
  await expect(limit('firm', succeed)).rejects.toMatchObject(tooMany);
  expect(await limit('other firm', succeed)).toBe('created');
});

test('D-23 changes between two conflicts do not reset the count', async () => {
  const limit = createConflictLimit({ conflicts: 2 });
  await expect(limit('firm', conflict)).rejects.toMatchObject({ code: 'ibanInUse' });
  await limit('firm', succeed);
  await expect(limit('firm', conflict)).rejects.toMatchObject({ code: 'ibanInUse' });
  await expect(limit('firm', succeed)).rejects.toMatchObject(tooMany);
});

const knex = await knexForFile();

/** Creates a customer of a firm, to which a user adds accounts; one conflict is allowed. */
async function newCustomer() {
  const firmId = await insertFirm(knex);
  const userId = await insertUser(knex, firmId);
  const own = await insertCustomer(knex, firmId);
  const { addBankAccount } = createCustomerLinkStore(knex, createCustomerMandates());
  const principal = { firmId, userId, accessLevel: 'user', seesCustomers: 'all' } as const;
  const limit = createConflictLimit({ conflicts: 1 });
  const add = (iban: string) =>
    limit(firmId, () => addBankAccount(asAuthor(principal), own, iban as Iban));
  return { firmId, own, add };
}

test('D-23 an account of a customer that the user sees is no conflict, one of a hidden customer is', async () => {
  const { firmId, add } = await newCustomer();
  const hidden = await insertCustomer(knex, firmId, { is_confidential: true });
  const seen = await insertCustomer(knex, firmId);
  const addAccountOf = async (customerId: string) => {
    const iban = newIban();
    await insertBankAccount(knex, customerId, { iban });
    return add(iban);
  };
  for (const owner of [seen, seen, hidden]) {
    await expect(addAccountOf(owner)).rejects.toMatchObject({ code: 'ibanInUse' });
  }
  await expect(addAccountOf(seen)).rejects.toMatchObject(tooMany);
});

test('D-23 an account of another firm is a conflict, also if a customer that the user sees had it before', async () => {
  const { own, add } = await newCustomer();
  const foreign = await insertCustomer(knex, await insertFirm(knex));
  const iban = newIban();
  await insertBankAccount(knex, own, { iban, disabled_on: new Date() });
  await insertBankAccount(knex, foreign, { iban });
  await expect(add(iban)).rejects.toMatchObject({ code: 'ibanInUse' });
  await expect(add(iban)).rejects.toMatchObject(tooMany);
});

test('D-23 when the hour has ended the firm may try again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limit = createConflictLimit({ conflicts: 1 });
  await expect(limit('firm', conflict)).rejects.toMatchObject({ code: 'ibanInUse' });
  vi.advanceTimersByTime(3_599_000);
  await expect(limit('firm', succeed)).rejects.toMatchObject(tooMany);
  vi.advanceTimersByTime(1_000);
  expect(await limit('firm', succeed)).toBe('created');
});
