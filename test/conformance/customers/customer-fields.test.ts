import type { CreateCustomerRequest } from '@adx/contract';
import { describe, expect, test } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { useSignedInService } from '../../support/use-service.js';

const signedIn = useSignedInService();

const create = (customer: CreateCustomerRequest) => signedIn.client.customers.create(customer);

test.each(['0403.019.261', '0477.472.701', '0428.759.497', '1026.783.503'])(
  '§2.1 enterprise number %s is accepted',
  async (enterpriseNumber) => {
    expect(await create(newCustomer({ enterpriseNumber }))).toMatchObject({ enterpriseNumber });
  },
);

test.each(['0477.472.702', '0000.000.097', '0428.759.400'])(
  '§2.1 enterprise number %s is refused because of its check digits',
  async (enterpriseNumber) => {
    await expect(create(newCustomer({ enterpriseNumber }))).rejects.toMatchObject({
      status: 400,
      code: 'invalidEnterpriseNumber',
      details: [{ path: 'enterpriseNumber' }],
    });
  },
);

test.each([
  '0477472701',
  'BE0477.472.701',
  '2477.472.701',
  '0477.472.70',
  ' 0477.472.701',
  '0477.472.701\n',
])('§2.1 enterprise number %j is malformed', async (enterpriseNumber) => {
  await expect(create(newCustomer({ enterpriseNumber }))).rejects.toMatchObject({
    status: 400,
    code: 'validationFailed',
    details: [{ path: 'enterpriseNumber' }],
  });
});

test.each(['', ' ', '\t', '\u00a0'])('§2.1 the name %j is empty and refused', async (name) => {
  await expect(create(newCustomer({ name }))).rejects.toMatchObject({
    code: 'validationFailed',
    details: expect.arrayContaining([expect.objectContaining({ path: 'name' })]),
  });
});

test.each(['fr', 'nl', 'de', 'en'] as const)(
  'D-13 the language %s is accepted',
  async (language) => {
    const contact = { ...newCustomer().contact, language };
    expect((await create(newCustomer({ contact }))).contact.language).toBe(language);
  },
);

test.each([
  ['language', 'es'],
  ['language', 'NL'],
  ['email', 'jan'],
  ['email', ''],
  ['name', ''],
  ['function', ''],
])('§2.1 a contact with the %s %j is refused', async (field, value) => {
  const sent = newCustomer();
  const { body } = await signedIn.call('createCustomer', {
    body: { ...sent, contact: { ...sent.contact, [field]: value } },
  });
  expect(body).toMatchObject({
    error: 'validationFailed',
    details: expect.arrayContaining([expect.objectContaining({ path: `contact.${field}` })]),
  });
});

const unknownId = 'ffffffffffffffffffffffff';

describe('§4.6 get customer', () => {
  test('§4.6 get customer: returns the customer', async () => {
    const { customers } = signedIn.client;
    const customer = await customers.create(newCustomer({ name: 'Slagerij Aerts' }));
    expect(await customers.get(customer.id)).toEqual(customer);
  });

  test('§4.6 get customer: an unknown id is 404', async () => {
    await expect(signedIn.client.customers.get(unknownId)).rejects.toMatchObject({
      status: 404,
      code: 'notFound',
    });
  });
});

describe('§4.3 list all customers', () => {
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

  test('§4.3 list: no body is needed', async () => {
    const { status } = await signedIn.call('listCustomers');
    expect(status).toBe(200);
  });
});
