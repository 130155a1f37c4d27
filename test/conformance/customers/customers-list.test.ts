import type { Customer } from '@adx/contract';
import { beforeAll, expect, test } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { useSignedInService } from '../../support/use-service.js';
import { storeCustomers } from './store-customers.js';

/** More than two of the pages in which the service reads. */
const count = 1_100;

const signedIn = useSignedInService();
let list: Customer[];
beforeAll(async () => {
  const { service, firmId } = signedIn;
  await storeCustomers(service, firmId, count);
  await storeCustomers(service, await service.createFirm(), 50);
  list = await signedIn.client.customers.list();
});

test('§4.3, §4.22 list: 1,100 customers are listed completely, each once, and only those of the own firm', () => {
  expect(new Set(list.map(({ id }) => id)).size).toBe(count);
  expect(list).toHaveLength(count);
});

test('§4.3 list: customers and order are the same as in Search customers', async () => {
  const searched: Customer[] = [];
  for await (const customer of signedIn.client.customers.search({ limit: 200 })) {
    searched.push(customer);
  }
  expect(list.map(({ id }) => id)).toEqual(searched.map(({ id }) => id));
  expect(list).toEqual(searched);
});

test('D-07 list: equal names are sorted by id', () => {
  const equals = list.filter(
    (customer, index) => index > 0 && list[index - 1]?.name === customer.name,
  );
  expect(equals.length).toBeGreaterThan(count / 2);
  const misplaced = list.filter((customer, index) => {
    const before = list[index - 1];
    return before?.name === customer.name && before.id >= customer.id;
  });
  expect(misplaced).toEqual([]);
});

test('§4.3 list: concurrent lists, one of them aborted, do not affect each other', async () => {
  const { customers } = signedIn.client;
  const givenUp = new AbortController();
  const lost = customers.list({ signal: givenUp.signal });
  const kept = [customers.list(), customers.list(), customers.list()];
  givenUp.abort();
  await expect(lost).rejects.toThrow();
  for (const whole of await Promise.all(kept)) expect(whole).toHaveLength(count);
  expect(await customers.search({ limit: 1 })).toMatchObject({ recordsTotal: count });
});

test('§4.6 get customer: returns the customer', async () => {
  const { customers } = signedIn.client;
  const customer = await customers.create(newCustomer({ name: 'Slagerij Aerts' }));
  expect(await customers.get(customer.id)).toEqual(customer);
});

test('§4.3 list: a firm without customers gets an empty array', async () => {
  expect(await (await signedIn.anotherFirm()).customers.list()).toEqual([]);
});

test('§4.3, D-07 list: returns the customers of the own firm with all fields, sorted by name and then id', async () => {
  const { customers } = await signedIn.anotherFirm();
  const created = [];
  for (const name of ['Zagerij', 'bakkerij', 'Bakkerij', 'bakkerij', 'Élan', 'Apotheek']) {
    created.push(await customers.create(newCustomer({ name })));
  }
  const [zagerij, bakkerij1, bakkerij2, bakkerij3, elan, apotheek] = created;
  expect(await customers.list()).toEqual([
    ...[apotheek, bakkerij1, bakkerij2, bakkerij3, elan, zagerij],
  ]);
});

test('§4.3, §2.1 list: each customer has its bank accounts and payroll providers', async () => {
  const { customers } = await signedIn.anotherFirm();
  const customer = await customers.create(
    newCustomer({ bankAccounts: [{ iban: newIban() }], payrollProviders: [{ code: 'ucm' }] }),
  );
  expect(await customers.list()).toEqual([customer]);
  expect(customer).toMatchObject({
    bankAccounts: [{ currency: 'EUR' }],
    payrollProviders: [{ code: 'ucm' }],
  });
});
