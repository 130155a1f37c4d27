import type { Client } from '@adx/client';
import type { Customer } from '@adx/contract';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { useSignedInService } from '../../support/use-service.js';

const signedIn = useSignedInService();
let customers: Client['customers'];
let customer: Customer;
beforeAll(async () => {
  customers = signedIn.client.customers;
});
beforeEach(async () => {
  customer = await customers.create(newCustomer());
});

const add = (code: string) => customers.addPayrollProvider(customer.id, code);
const providers = async (id = customer.id) => (await customers.get(id)).payrollProviders;
const notFound = { status: 404, code: 'notFound' };

test('§4.11, §2.3 add: returns the payroll provider with its French and Dutch names', async () => {
  const provider = await add('sdworx');
  expect(provider).toEqual({
    code: 'sdworx',
    nameFr: 'SD Worx Secrétariat Social',
    nameNl: 'SD Worx Sociaal Secretariaat',
  });
  expect(await providers()).toEqual([provider]);
});

test('§4.11 add: every code that List payroll providers returns can be added', async () => {
  const { records } = await signedIn.client.payrollProviders.list();
  for (const record of records) expect(await add(record.code)).toEqual(record);
  expect(await providers()).toEqual(records);
});

test('§2.1 add: payroll providers are in the order in which they were added', async () => {
  for (const code of ['ucm', 'acerta', 'liantis']) await add(code);
  expect((await providers()).map(({ code }) => code)).toEqual(['ucm', 'acerta', 'liantis']);
});

test('D-15 add: adding an existing provider returns it and changes nothing', async () => {
  const provider = await add('ucm');
  const before = await customers.get(customer.id);
  expect(await add('ucm')).toEqual(provider);
  expect(await customers.get(customer.id)).toEqual(before);
});

test('§2.1 add, remove: updatedOn changes', async () => {
  const times = [customer.updatedOn];
  await add('ucm');
  times.push((await customers.get(customer.id)).updatedOn);
  await customers.removePayrollProvider(customer.id, 'ucm');
  times.push((await customers.get(customer.id)).updatedOn);
  expect(times).toEqual([...new Set(times)].toSorted());
});

test('§4.11 add: two customers may have the same payroll provider', async () => {
  const second = await customers.create(newCustomer());
  await add('ucm');
  expect(await customers.addPayrollProvider(second.id, 'ucm')).toMatchObject({ code: 'ucm' });
});

test('§4.12 remove: returns a confirmation, and the provider disappears from payrollProviders', async () => {
  await add('ucm');
  await add('sdworx');
  const answer = await customers.removePayrollProvider(customer.id, 'ucm');
  expect(answer).toEqual({ message: expect.stringMatching(/\S/) });
  expect((await providers()).map(({ code }) => code)).toEqual(['sdworx']);
});

test.each(['acerta', 'nobody'])(
  'D-15 remove: %s, which the customer does not have, is 404',
  async (code) => {
    const second = await customers.create(newCustomer({ payrollProviders: [{ code: 'acerta' }] }));
    await expect(customers.removePayrollProvider(customer.id, code)).rejects.toMatchObject(
      notFound,
    );
    expect(await providers(second.id)).toHaveLength(1);
  },
);

test('D-15 remove: removing twice is 404 the second time, and the provider can be added again', async () => {
  const provider = await add('ucm');
  await customers.removePayrollProvider(customer.id, 'ucm');
  await expect(customers.removePayrollProvider(customer.id, 'ucm')).rejects.toMatchObject(notFound);
  expect(await add('ucm')).toEqual(provider);
  expect(await providers()).toEqual([provider]);
});
