import type { Customer } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import { beforeAll, expect, test } from 'vitest';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { useSignedInService } from '../support/use-service.js';

const signedIn = useSignedInService();
let customer: Customer;
beforeAll(async () => {
  customer = await signedIn.client.customers.create(newCustomer());
});

const create = (overrides: Parameters<typeof newCustomer>[0]) =>
  signedIn.client.customers.create(newCustomer(overrides));

test('§2.1, D-12 an id is 24 hexadecimal characters in lower case', () => {
  expect(customer.id).toMatch(/^[0-9a-f]{24}$/);
});

test('D-12 ids start with the second of their creation and sort in the order of creation', async () => {
  const ids = [];
  for (let made = 0; made < 5; made += 1) ids.push((await create({})).id);
  expect(ids).toEqual(ids.toSorted());
  const seconds = Number.parseInt(ids[4]?.slice(0, 8) ?? '', 16);
  expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(60);
});

test('§2.1, D-12 date-times are UTC with milliseconds', () => {
  const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
  expect(customer.createdOn).toMatch(instant);
  expect(customer.updatedOn).toMatch(instant);
  expect(customer.updatedOn).toBe(customer.createdOn);
  expect(Math.abs(Date.parse(customer.createdOn) - Date.now())).toBeLessThan(60_000);
});

test('§2.1 an enterprise number has the form 0123.456.789', async () => {
  const enterpriseNumber = '0428.759.497';
  expect(await create({ enterpriseNumber })).toMatchObject({ enterpriseNumber });
});

test('§2.1 fields without a value are omitted, arrays are always present', async () => {
  const bare = await create({ accountingRef: '' });
  const { Customer, Address } = spec.components.schemas;
  expect(Object.keys(bare).toSorted()).toEqual(Customer?.required?.toSorted());
  expect(Object.keys(bare.address).toSorted()).toEqual(Address?.required?.toSorted());
  expect(bare).toMatchObject({ bankAccounts: [], payrollProviders: [] });
});

test('§2.1 the same fields are omitted by get, list, search and update', async () => {
  const { customers } = signedIn.client;
  const bare = await create({ accountingRef: '', bankAccounts: [{ iban: 'NL91ABNA0417164300' }] });
  const { enterpriseNumber } = bare;
  expect(await customers.get(bare.id)).toStrictEqual(bare);
  expect(await customers.list()).toContainEqual(bare);
  expect((await customers.search({ enterpriseNumber })).records).toStrictEqual([bare]);
  expect(await customers.update(bare.id)).toStrictEqual(bare);
});

test('§2.1 the error names invisible characters in words, also within an object', async () => {
  const sent = newCustomer();
  const contact = { ...sent.contact, function: 'zaakvoerder\u202e' };
  const text = JSON.stringify({ ...sent, name: 'a\u0007', contact, enterpriseNumber: '1' });
  const message = 'must not contain control characters or marks that change the direction of text';
  const { body } = await signedIn.call('createCustomer', { text });
  expect(body).toMatchObject({
    details: expect.arrayContaining([
      { path: 'name', message },
      { path: 'contact.function', message },
      { path: 'enterpriseNumber', message: expect.stringContaining('must match pattern') },
    ]),
  });
});

test('§2.2 a BIC is written in groups in every response', async () => {
  const { bankAccounts } = await create({ bankAccounts: [{ iban: newIban() }] });
  expect(bankAccounts).toMatchObject([{ bic: 'GKCC BE BB' }]);
  for await (const { bic } of signedIn.client.banks.list()) {
    expect(bic).toMatch(/^[A-Z]{4} [A-Z]{2} [A-Z\d]{2}( [A-Z\d]{3})?$/);
  }
});

test('D-02 every response is JSON in UTF-8 and a success is 200', async () => {
  for (const operationId of [
    'helloWorld',
    'listCustomers',
    'searchCustomers',
    'listBanks',
  ] as const) {
    const { status, headers } = await signedIn.call(operationId);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json(; charset=utf-8)?$/i);
  }
});
