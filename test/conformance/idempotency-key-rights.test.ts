import { createApiKeyStore } from '@adx/server';
import { expect, test } from 'vitest';
import { callOperation } from '../support/call-operation.js';
import { answerOf, errorOf, newKey, withKey } from '../support/keyed-calls.js';
import { newCustomer } from '../support/new-customer.js';
import { useSignedInService } from '../support/use-service.js';

const signedIn = useSignedInService();

test('D-43 a repetition gets the first answer after the customer was archived, and when the user no longer sees it', async () => {
  const { service, firmId, apiKey, client } = signedIn;
  const user = await service.createUser({ firmId, access: 'user', customers: [] });
  const idToken = await service.idToken(user);
  const sent = { apiKey, idToken, body: newCustomer(), ...withKey(newKey()) };
  const first = await callOperation(service, 'createCustomer', sent);
  expect(first.status).toBe(200);
  await service.knex('user_customers').where({ user_id: user.id }).delete();
  expect(answerOf(await callOperation(service, 'createCustomer', sent))).toEqual(answerOf(first));
  const { id } = first.body as { id: string };
  await client.customers.archive(id);
  expect(answerOf(await callOperation(service, 'createCustomer', sent))).toEqual(answerOf(first));
});

test('D-43 a repetition counts towards the rate limit', async () => {
  const sent = { body: newCustomer(), ...withKey(newKey()) };
  const remaining: number[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { headers } = await signedIn.call('createCustomer', sent);
    remaining.push(Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]));
  }
  const [first = Number.NaN] = remaining;
  expect(remaining).toEqual([first, first - 1, first - 2]);
});

test('D-43 a repetition is refused without the scope of the call', async () => {
  const { service, idToken } = signedIn;
  const { id, key: apiKey } = await service.issueApiKey();
  const sent = { apiKey, idToken, body: newCustomer(), ...withKey(newKey()) };
  expect((await callOperation(service, 'createCustomer', sent)).status).toBe(200);
  await service
    .knex('api_keys')
    .where({ id })
    .update({ scopes: ['customers:read'] });
  const again = await callOperation(service, 'createCustomer', sent);
  expect(errorOf(again)).toEqual([403, 'insufficientScope']);
});

test('D-43 a repetition with the new secret of an API key gets the first answer, and a revoked one gets none', async () => {
  const { service, idToken } = signedIn;
  const apiKeys = createApiKeyStore(service.knex);
  const { id, key: apiKey } = await service.issueApiKey();
  const sent = { idToken, body: newCustomer(), ...withKey(newKey()) };
  const first = await callOperation(service, 'createCustomer', { ...sent, apiKey });
  const rotated = await apiKeys.rotate(id, { overlapMs: 60_000 });
  if (typeof rotated !== 'object') expect.fail(`It was not rotated: ${rotated}`);
  const again = await callOperation(service, 'createCustomer', { ...sent, apiKey: rotated.key });
  expect([first.status, answerOf(again)]).toEqual([200, answerOf(first)]);
  await apiKeys.revoke(id);
  const late = await callOperation(service, 'createCustomer', { ...sent, apiKey: rotated.key });
  expect(errorOf(late)).toEqual([403, 'invalidApiKey']);
});
