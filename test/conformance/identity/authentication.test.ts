import { createUserStore } from '@adx/server';
import { expect, test } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { startSignedInService } from '../../support/signed-in-service.js';
import { useSignedInService } from '../../support/use-service.js';

const signedIn = useSignedInService();

test.each([
  ['another secret', () => signedIn.idToken],
  ['cut short', () => signedIn.apiKey.slice(0, -1)],
  ['in another case', () => signedIn.apiKey.toUpperCase()],
])('§5 an API key that is %s is 403', async (_, apiKey) => {
  expect(await signedIn.call('helloWorld', { apiKey: apiKey() })).toMatchObject({
    ...{ status: 403, body: { error: 'invalidApiKey' } },
  });
});

test('§5 the ID token of another service is 401', async () => {
  const other = await startSignedInService();
  try {
    const { idToken } = other;
    expect(await signedIn.call('helloWorld', { idToken })).toMatchObject({
      ...{ status: 401, body: { error: 'unauthorized' } },
    });
  } finally {
    await other.service.close();
  }
});

test('§4.2 hello world: returns a confirmation if both are accepted, without any scope', async () => {
  const { key: apiKey } = await signedIn.service.issueApiKey([]);
  expect(await signedIn.call('helloWorld', { apiKey })).toMatchObject({
    status: 200,
    body: { message: expect.stringMatching(/\S/) },
  });
});

test('§5 changes of assignments and access level apply to issued ID tokens', async () => {
  const { service } = signedIn;
  const firmId = await service.createFirm();
  const administrator = await service.client(await service.createUser({ firmId }));
  const first = await administrator.customers.create(newCustomer({ name: 'A' }));
  const second = await administrator.customers.create(newCustomer({ name: 'B' }));
  const user = await service.createUser({ firmId, access: 'user', customers: [] });
  const { customers } = await service.client(user);
  const users = createUserStore(service.knex);
  expect(await customers.list()).toEqual([]);
  for (const each of [first, second]) {
    await users.update(user.id, { customers: [each.id] });
    expect(await customers.list()).toEqual([each]);
  }
  await service.knex('customers').where({ id: second.id }).update({ is_confidential: true });
  expect(await customers.list()).toEqual([]);
  await users.update(user.id, { accessLevel: 'administrator', customers: 'all' });
  expect(await customers.list()).toMatchObject([first, { id: second.id }]);
  await users.update(user.id, { accessLevel: 'portalOnly' });
  await expect(customers.list()).rejects.toMatchObject({ status: 401, code: 'portalOnly' });
});
