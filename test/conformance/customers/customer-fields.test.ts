import type { CreateCustomerRequest } from '@adx/contract';
import { expect, test } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
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
