import type { Client } from '@adx/client';
import type { Customer, SearchCustomersRequest } from '@adx/contract';
import { beforeAll, expect, test } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { useSignedInService } from '../../support/use-service.js';

const signedIn = useSignedInService();
let bakery: Customer;
let garage: Customer;
let florist: Customer;
let consultants: Customer;
const bakeryIban = newIban();

beforeAll(async () => {
  const create = async (fields: Parameters<typeof newCustomer>[0]) =>
    signedIn.client.customers.create(newCustomer(fields));
  bakery = await create({
    name: 'Bakkerij De Gouden Korst',
    accountingRef: 'K-1',
    enterpriseNumber: '0765.432.146',
    bankAccounts: [{ iban: bakeryIban }, { iban: newIban() }],
  });
  garage = await create({
    name: 'Garage Dubois',
    accountingRef: 'k-10',
    enterpriseNumber: '0812.345.603',
  });
  florist = await create({ name: 'Été 100% Fleurs', accountingRef: 'REF_A' });
  consultants = await create({ name: 'consult\\ants', accountingRef: '' });
});

async function find(request: SearchCustomersRequest, client: Client = signedIn.client) {
  return (await client.customers.search(request)).records.map(({ name }) => name);
}

test('§4.4 search: without filters it returns all customers, sorted by name', async () => {
  const { records, recordsTotal, recordsFiltered } = await signedIn.client.customers.search();
  expect(records).toEqual([bakery, consultants, florist, garage]);
  expect({ recordsTotal, recordsFiltered }).toEqual({ recordsTotal: 4, recordsFiltered: 4 });
});

test('§2.9 search: recordsTotal counts before the filters, recordsFiltered after them', async () => {
  expect(await signedIn.client.customers.search({ search: 'garage' })).toEqual({
    records: [garage],
    recordsTotal: 4,
    recordsFiltered: 1,
  });
});

test('§2.9 search: without results it returns an empty page', async () => {
  expect(await signedIn.client.customers.search({ search: 'nothing has this' })).toEqual({
    records: [],
    recordsTotal: 4,
    recordsFiltered: 0,
  });
});

test.each([
  ['part of a name', 'gouden', ['Bakkerij De Gouden Korst']],
  ['a name in capitals', 'BAKKERIJ', ['Bakkerij De Gouden Korst']],
  ['an accented capital for a small letter', 'éTÉ', ['Été 100% Fleurs']],
  ['a space', 'e d', ['Garage Dubois']],
  ['part of an enterprise number with dots', '765.43', ['Bakkerij De Gouden Korst']],
  ['part of one without dots', '076543', ['Bakkerij De Gouden Korst']],
  ['a whole one without dots', '0812345603', ['Garage Dubois']],
  ['an accounting reference in another case', 'K-1', ['Bakkerij De Gouden Korst', 'Garage Dubois']],
  ['an underscore', '_', ['Été 100% Fleurs']],
  ['a percent sign', '%', ['Été 100% Fleurs']],
  ['a wildcard between', 'B%j', []],
  ['a wildcard for one character', 'Gar_ge', []],
  ['a backslash', '\\', ['consult\\ants']],
  ['a quote', "'", []],
])('§4.4, D-07 search: text finds %s', async (_, search, names) => {
  expect(await find({ search })).toEqual(names);
});

test('D-07 search: an empty text finds all customers', async () => {
  expect(await find({ search: '' })).toHaveLength(4);
});

test('D-07 search: text is not found across two fields', async () => {
  expect(await find({ search: 'korst0765' })).toEqual([]);
});

test('§4.4 search: an enterprise number is matched exactly', async () => {
  expect(await find({ enterpriseNumber: '0765.432.146' })).toEqual(['Bakkerij De Gouden Korst']);
  expect(await find({ enterpriseNumber: '0403.019.261' })).toEqual([]);
});

test('§4.4, D-07 search: an accounting reference is matched exactly', async () => {
  expect(await find({ accountingRef: 'K-1' })).toEqual(['Bakkerij De Gouden Korst']);
  expect(await find({ accountingRef: 'K-10' })).toEqual([]);
  expect(await find({ accountingRef: 'k-10' })).toEqual(['Garage Dubois']);
});

test('§4.4 search: an IBAN is matched exactly, spaces and case ignored', async () => {
  const spaced = bakeryIban.toLowerCase().replace(/.{4}/g, '$& ');
  expect(await find({ iban: bakeryIban })).toEqual(['Bakkerij De Gouden Korst']);
  expect(await find({ iban: spaced })).toEqual(['Bakkerij De Gouden Korst']);
  expect(await find({ iban: bakeryIban.slice(0, -1) })).toEqual([]);
});

test('§4.4 search: the IBAN of a disabled bank account finds nothing', async () => {
  const { customers } = signedIn.client;
  const iban = newIban();
  await customers.addBankAccount(garage.id, iban);
  expect(await find({ iban })).toEqual(['Garage Dubois']);
  await customers.disableBankAccount(garage.id, iban);
  expect(await find({ iban })).toEqual([]);
});

test('§4.4 search: a customer must match every filter', async () => {
  expect(await find({ search: 'garage', enterpriseNumber: '0812.345.603' })).toHaveLength(1);
  expect(await find({ search: 'garage', enterpriseNumber: '0765.432.146' })).toEqual([]);
  expect(await find({ search: 'korst', iban: bakeryIban, accountingRef: 'K-1' })).toHaveLength(1);
});
