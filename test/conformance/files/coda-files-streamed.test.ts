import type { Customer } from '@adx/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newObjectId } from '../../../packages/server/src/identifiers/object-id.js';
import { insertCustomer } from '../../../packages/server/test/support/rows.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { type SignedInService, startSignedInService } from '../../support/signed-in-service.js';
import { storeCustomers } from '../customers/store-customers.js';
import { createCustomerWith, filesOf, newFirm, storeCodaFiles } from '../listed-coda-files.js';

const count = 3000;

let signedIn: SignedInService;
let list: Customer[];
beforeAll(async () => {
  signedIn = await startSignedInService();
  const { service, firmId } = signedIn;
  await storeCustomers(service, firmId, count);
  await storeCustomers(service, await service.createFirm(), 50);
  list = await signedIn.client.customers.list();
});
afterAll(() => signedIn.service.close());

test('§4.3, §4.22 list: 3,000 customers are listed completely, each once, and only those of the own firm', () => {
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

test('§4.22 rule 4: a list of several pages is complete and in order, and no group appears twice', async () => {
  const { client, customer } = await createCustomerWith(signedIn.service);
  const [first, second] = [newIban(), newIban()].toSorted();
  const other = await client.customers.create(newCustomer({ name: 'Zzz' }));
  await storeCodaFiles(signedIn.service, customer.id, first ?? '', 2500);
  await storeCodaFiles(signedIn.service, customer.id, second ?? '', 500);
  await storeCodaFiles(signedIn.service, other.id, newIban(), 1000);
  const groups = await client.codaFiles.list();
  expect(groups.map(({ id, ibans }) => [id, ibans.map(({ files }) => files.length)])).toEqual([
    [customer.id, [2500, 500]],
    [other.id, [1000]],
  ]);
  const [of2500] = groups[0]?.ibans ?? [];
  expect(of2500?.files.map(({ statementNumber }) => statementNumber)).toEqual(
    Array.from({ length: 2500 }, (_, index) => index + 1),
  );
  expect(new Set(filesOf(groups).map(({ id }) => id)).size).toBe(4000);
});

test('D-09 customers with the same name across two pages are listed once each, sorted by id', async () => {
  const { firmId, client } = await newFirm(signedIn.service);
  const counts = [600, 600, 1, 1];
  const ids = counts.map(() => newObjectId()).toSorted();
  // Stored in another order than the listed one.
  for (const id of ids.toReversed()) {
    await insertCustomer(signedIn.service.knex, firmId, { id });
    await storeCodaFiles(signedIn.service, id, newIban(), counts[ids.indexOf(id)] ?? 0);
  }
  const groups = await client.codaFiles.list();
  expect(groups.map((group) => [group.id, filesOf([group]).length])).toEqual(
    ids.map((id, place) => [id, counts[place]]),
  );
});
