import type { Customer } from '@adx/contract';
import { beforeAll, expect, test } from 'vitest';
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
