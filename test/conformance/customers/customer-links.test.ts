import type { Client } from '@adx/client';
import type { Customer } from '@adx/contract';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { belgianIban, newIban } from '../../support/numbers.js';
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

const add = (iban: string) => customers.addBankAccount(customer.id, iban);
const accounts = async (id = customer.id) => (await customers.get(id)).bankAccounts;

test('§4.9, §2.2 add: returns the bank account with currency, BIC and bank name', async () => {
  const account = await add('BE71096123456769');
  expect(account).toEqual({
    iban: 'BE71096123456769',
    currency: 'EUR',
    bic: 'GKCC BE BB',
    bankName: expect.stringMatching(/belfius/i),
  });
  expect(await accounts()).toEqual([account]);
  await customers.disableBankAccount(customer.id, 'BE71096123456769');
});

test('§2.1 add: bank accounts are in the order in which they were added', async () => {
  const ibans = [newIban(), newIban(), newIban()].toReversed();
  for (const iban of ibans) await add(iban);
  expect((await accounts()).map(({ iban }) => iban)).toEqual(ibans);
});

test('D-15 add: adding an existing account returns it and changes nothing', async () => {
  const iban = newIban();
  const account = await add(iban);
  const before = await customers.get(customer.id);
  expect(await add(iban.toLowerCase())).toEqual(account);
  expect(await customers.get(customer.id)).toEqual(before);
});

test('§2.1 add, disable: updatedOn changes', async () => {
  const iban = newIban();
  const times = [customer.updatedOn];
  await add(iban);
  times.push((await customers.get(customer.id)).updatedOn);
  await customers.disableBankAccount(customer.id, iban);
  times.push((await customers.get(customer.id)).updatedOn);
  expect(times).toEqual([...new Set(times)].toSorted());
});

test('§4.10, §3 disable: returns a confirmation, and the account disappears from bankAccounts', async () => {
  const [kept, disabled] = [newIban(), newIban()];
  await add(disabled);
  await add(kept);
  const answer = await customers.disableBankAccount(
    customer.id,
    disabled.toLowerCase().replace(/.{4}/g, '$& '),
  );
  expect(answer).toEqual({ message: expect.stringMatching(/\S/) });
  expect((await accounts()).map(({ iban }) => iban)).toEqual([kept]);
});

test('D-15 disable: an account that the customer does not have is 404', async () => {
  const iban = newIban();
  const second = await customers.create(newCustomer({ bankAccounts: [{ iban }] }));
  for (const absent of [newIban(), iban]) {
    await expect(customers.disableBankAccount(customer.id, absent)).rejects.toMatchObject({
      status: 404,
      code: 'notFound',
    });
  }
  expect(await accounts(second.id)).toHaveLength(1);
});

test('D-15 disable: disabling twice is 404 the second time', async () => {
  const iban = newIban();
  await add(iban);
  await customers.disableBankAccount(customer.id, iban);
  await expect(customers.disableBankAccount(customer.id, iban)).rejects.toMatchObject({
    code: 'notFound',
  });
});

test('D-16 disable: the IBAN is free again, for the customer and for another', async () => {
  const iban = newIban();
  const second = await customers.create(newCustomer());
  await add(iban);
  await customers.disableBankAccount(customer.id, iban);
  await add(iban);
  await customers.disableBankAccount(customer.id, iban);
  expect(await customers.addBankAccount(second.id, iban)).toMatchObject({ iban });
  expect(await accounts()).toEqual([]);
});

test.each([
  ['a foreign bank', 'NL91ABNA0417164300'],
  ['an unassigned bank code', belgianIban(1, '985')],
])('D-17 an account of %s has neither BIC nor bank name', async (_, iban) => {
  expect(await add(iban)).toEqual({ iban, currency: 'EUR' });
  expect(await accounts()).toEqual([{ iban, currency: 'EUR' }]);
});

test('D-17 an account of a bank without BIC has only the bank name', async () => {
  const iban = belgianIban(1, '990');
  expect(await add(iban)).toEqual({ iban, currency: 'EUR', bankName: 'bpost' });
});

test.each([
  ['650', 'REVO BE B2'],
  ['509', 'ABNA BE 2A IPC'],
  ['100', 'NBBE BE BB 203'],
])('§2.2 the BIC of the bank code %s is %j, in groups', async (bankCode, bic) => {
  expect(await add(belgianIban(1, bankCode))).toMatchObject({ bic });
});

test('§2.2, D-24 connectorId is that of the bank when the account was linked, and stays', async () => {
  const { knex } = signedIn.service;
  const before = await add(newIban());
  expect(before).not.toHaveProperty('connectorId');
  const belfius = () => knex('banks').where({ bic: 'GKCCBEBB' });
  const stored = await belfius().first('connector_id');
  await belfius().update({ connector_id: 3 });
  const served = await add(newIban());
  expect(served).toMatchObject({ bic: 'GKCC BE BB', connectorId: 3 });
  expect(await accounts()).toEqual(expect.arrayContaining([before, served]));
  await belfius().update(stored);
  expect(await accounts()).toEqual(expect.arrayContaining([before, served]));
});

test('§2.2 the currency is EUR unless another value is stored', async () => {
  const iban = newIban();
  await add(iban);
  await signedIn.service.knex('bank_accounts').where({ iban }).update({ currency: 'USD' });
  expect(await accounts()).toMatchObject([{ iban, currency: 'USD' }]);
});

const notFound = { status: 404, code: 'notFound' };
const addProvider = (code: string) => customers.addPayrollProvider(customer.id, code);
const providers = async (id = customer.id) => (await customers.get(id)).payrollProviders;

test('§4.11, §2.3 add: returns the payroll provider with its French and Dutch names', async () => {
  const provider = await addProvider('sdworx');
  expect(provider).toEqual({
    code: 'sdworx',
    nameFr: 'SD Worx Secrétariat Social',
    nameNl: 'SD Worx Sociaal Secretariaat',
  });
  expect(await providers()).toEqual([provider]);
});

test('§4.11 add: every code that List payroll providers returns can be added', async () => {
  const { records } = await signedIn.client.payrollProviders.list();
  for (const record of records) expect(await addProvider(record.code)).toEqual(record);
  expect(await providers()).toEqual(records);
});

test('§2.1 add: payroll providers are in the order in which they were added', async () => {
  for (const code of ['ucm', 'acerta', 'liantis']) await addProvider(code);
  expect((await providers()).map(({ code }) => code)).toEqual(['ucm', 'acerta', 'liantis']);
});

test('D-15 add: adding an existing provider returns it and changes nothing', async () => {
  const provider = await addProvider('ucm');
  const before = await customers.get(customer.id);
  expect(await addProvider('ucm')).toEqual(provider);
  expect(await customers.get(customer.id)).toEqual(before);
});

test('§2.1 add, remove: updatedOn changes', async () => {
  const times = [customer.updatedOn];
  await addProvider('ucm');
  times.push((await customers.get(customer.id)).updatedOn);
  await customers.removePayrollProvider(customer.id, 'ucm');
  times.push((await customers.get(customer.id)).updatedOn);
  expect(times).toEqual([...new Set(times)].toSorted());
});

test('§4.12 remove: returns a confirmation, and the provider disappears from payrollProviders', async () => {
  await addProvider('ucm');
  await addProvider('sdworx');
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
  const provider = await addProvider('ucm');
  await customers.removePayrollProvider(customer.id, 'ucm');
  await expect(customers.removePayrollProvider(customer.id, 'ucm')).rejects.toMatchObject(notFound);
  expect(await addProvider('ucm')).toEqual(provider);
  expect(await providers()).toEqual([provider]);
});
