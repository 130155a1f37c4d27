import type { Client } from '@adx/client';
import type { Customer } from '@adx/contract';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { useSignedInService } from '../../support/use-service.js';

const signedIn = useSignedInService();
let customers: Client['customers'];
let archived: Customer;
let iban: string;
let answer: unknown;
beforeAll(async () => {
  customers = signedIn.client.customers;
});
beforeEach(async () => {
  iban = newIban();
  const links = { bankAccounts: [{ iban }], payrollProviders: [{ code: 'ucm' }] };
  archived = await customers.create(newCustomer(links));
  answer = await customers.archive(archived.id);
});

const notFound = { status: 404, code: 'notFound' };

test('§4.8, §2.9 archive: the response is a confirmation', () => {
  expect(answer).toEqual({ message: expect.stringMatching(/\S/) });
});

test('§3, §4.8 archive: the customer is no longer listed, found or counted', async () => {
  const { enterpriseNumber, id } = archived;
  expect((await customers.list()).map((customer) => customer.id)).not.toContain(id);
  expect((await customers.search({ enterpriseNumber })).records).toEqual([]);
  expect((await customers.search({ iban })).records).toEqual([]);
  expect((await customers.search()).recordsTotal).toBe((await customers.list()).length);
});

test('D-16 archive: the own firm can use the enterprise number and the IBANs again', async () => {
  const { enterpriseNumber } = archived;
  const again = await customers.create(newCustomer({ enterpriseNumber, bankAccounts: [{ iban }] }));
  expect(again.id).not.toBe(archived.id);
  expect(again.bankAccounts).toEqual(archived.bankAccounts);
  expect(again.payrollProviders).toEqual([]);
  await expect(customers.get(archived.id)).rejects.toMatchObject(notFound);
});

test('§4.8 archive: other customers keep their bank accounts and payroll providers', async () => {
  const links = { bankAccounts: [{ iban: newIban() }], payrollProviders: [{ code: 'ucm' }] };
  const kept = await customers.create(newCustomer(links));
  const gone = await customers.create(newCustomer({ payrollProviders: [{ code: 'ucm' }] }));
  await customers.archive(gone.id);
  expect(await customers.get(kept.id)).toEqual(kept);
});
