import type { CreateCustomerRequest } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import { expect, test } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { useSignedInService } from '../../support/use-service.js';

const signedIn = useSignedInService();

const create = (customer: CreateCustomerRequest) => signedIn.client.customers.create(customer);

async function registered({ enterpriseNumber }: CreateCustomerRequest): Promise<number> {
  return (await signedIn.client.customers.search({ enterpriseNumber })).recordsFiltered;
}

test('§4.5 create customer: returns the customer with all fields that were sent', async () => {
  const iban = newIban();
  const { properties = {} } = spec.components.schemas['CreateCustomerRequest'] ?? {};
  const examples = Object.entries(properties).map(([name, schema]) => [name, schema['examples']]);
  const given = examples.flatMap(([name, values]) => (values ? [[name, Object(values)[0]]] : []));
  const sent = newCustomer({
    ...Object.fromEntries(given),
    enterpriseNumber: newCustomer().enterpriseNumber,
    address: { ...newCustomer().address, street2: 'bus 3' },
    bankAccounts: [{ iban }],
    payrollProviders: [{ code: 'sdworx' }],
  });
  const { bankAccounts: _, payrollProviders: __, ...fields } = sent;
  const customer = await create(sent);
  expect(customer).toMatchObject({ ...fields, isConfidential: false });
  expect(customer.bankAccounts.map((account) => account.iban)).toEqual([iban]);
  expect(customer.payrollProviders.map(({ code }) => code)).toEqual(['sdworx']);
});

test('§4.5 create customer: street2, bank accounts and payroll providers are optional', async () => {
  const customer = await create(newCustomer());
  expect(customer).toMatchObject({ bankAccounts: [], payrollProviders: [] });
  expect(customer.address).not.toHaveProperty('street2');
});

test('§2.2 create customer: spaces in an IBAN are removed and letters uppercased', async () => {
  const { bankAccounts } = await create(
    newCustomer({ bankAccounts: [{ iban: 'be71 0961 2345 6769' }] }),
  );
  expect(bankAccounts).toEqual([
    { iban: 'BE71096123456769', currency: 'EUR', bic: 'GKCC BE BB', bankName: expect.any(String) },
  ]);
});

test('D-15 create customer: accounts and providers that are named twice are linked once, in the given order', async () => {
  const [first, second] = [newIban(), newIban()];
  const { bankAccounts, payrollProviders } = await create(
    newCustomer({
      bankAccounts: [{ iban: second }, { iban: first }, { iban: second.toLowerCase() }],
      payrollProviders: [{ code: 'ucm' }, { code: 'acerta' }, { code: 'ucm' }],
    }),
  );
  expect(bankAccounts.map(({ iban }) => iban)).toEqual([second, first]);
  expect(payrollProviders.map(({ code }) => code)).toEqual(['ucm', 'acerta']);
});

test('§2.2 create customer: an invalid IBAN is named and nothing is stored', async () => {
  const sent = newCustomer({
    bankAccounts: [{ iban: newIban() }, { iban: 'BE02000000000000' }],
  });
  await expect(create(sent)).rejects.toMatchObject({
    status: 400,
    code: 'invalidIban',
    details: [{ path: 'bankAccounts.1.iban' }],
  });
  expect(await registered(sent)).toBe(0);
});

test('§4.11 create customer: an unknown payroll provider is named and nothing is stored', async () => {
  const iban = newIban();
  const sent = newCustomer({
    bankAccounts: [{ iban }],
    payrollProviders: [{ code: 'sdworx' }, { code: 'nobody' }],
  });
  await expect(create(sent)).rejects.toMatchObject({
    status: 400,
    code: 'unknownPayrollProvider',
    details: [{ path: 'payrollProviders.1.code' }],
  });
  expect(await registered(sent)).toBe(0);
  expect((await signedIn.client.customers.search({ iban })).records).toEqual([]);
});

test('D-16 create customer: of several IBANs in use only the first is named', async () => {
  // Their order is not that of the request.
  const taken = [newIban(), newIban(), newIban()].sort().map((iban) => ({ iban }));
  await create(newCustomer({ bankAccounts: taken }));
  const sent = newCustomer({ bankAccounts: [{ iban: newIban() }, ...taken.toReversed()] });
  await expect(create(sent)).rejects.toMatchObject({
    code: 'ibanInUse',
    details: [{ path: 'bankAccounts.1.iban', message: `${taken[2]?.iban} is already in use` }],
  });
});
