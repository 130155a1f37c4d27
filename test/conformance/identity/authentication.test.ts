import { type OperationId, operations } from '@adx/contract';
import { createApiKeyStore, createUserStore } from '@adx/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOperation } from '../../support/call-operation.js';
import { type SignedInService, startSignedInService } from '../../support/signed-in-service.js';

let signedIn: SignedInService;
let portalOnly: string;
beforeAll(async () => {
  signedIn = await startSignedInService();
  const { service, firmId } = signedIn;
  portalOnly = await service.idToken(await service.createUser({ firmId, access: 'portalOnly' }));
});
afterAll(() => signedIn.service.close());

const every = Object.keys(operations) as OperationId[];
const everyWithUser = every.filter((operationId) => operations[operationId].idToken);

const invalidApiKey = { status: 403, body: { error: 'invalidApiKey' } };
const unauthorized = { status: 401, body: { error: 'unauthorized' } };

describe('§5 the API key is required on every call', () => {
  test.each(every)('§5 %s without an API key is 403', async (operationId) => {
    const call = { idToken: signedIn.idToken };
    expect(await callOperation(signedIn.service, operationId, call)).toMatchObject(invalidApiKey);
  });

  test.each([
    ['unknown', () => `adx_live_${'A'.repeat(43)}`],
    ['empty', () => ''],
    ['another secret', () => signedIn.idToken],
    ['cut short', () => signedIn.apiKey.slice(0, -1)],
    ['in another case', () => signedIn.apiKey.toUpperCase()],
  ])('§5 an API key that is %s is 403', async (_, apiKey) => {
    expect(await signedIn.call('helloWorld', { apiKey: apiKey() })).toMatchObject(invalidApiKey);
  });

  test('§5 an API key in the Authorization header or the query is ignored', async () => {
    const { apiKey, service } = signedIn;
    for (const call of [{ idToken: apiKey }, { query: `x-api-key=${apiKey}` }]) {
      expect(await callOperation(service, 'helloWorld', call)).toMatchObject(invalidApiKey);
    }
  });

  test('§5 a revoked API key is 403', async () => {
    const { service } = signedIn;
    const { id, key } = await service.issueApiKey();
    expect(await signedIn.call('helloWorld', { apiKey: key })).toMatchObject({ status: 200 });
    await createApiKeyStore(service.knex).revoke(id);
    expect(await signedIn.call('helloWorld', { apiKey: key })).toMatchObject(invalidApiKey);
  });
});

describe('§5 the ID token is required on every call but POST /token', () => {
  test.each(everyWithUser)('§5 %s without an ID token is 401', async (operationId) => {
    const call = { apiKey: signedIn.apiKey };
    expect(await callOperation(signedIn.service, operationId, call)).toMatchObject(unauthorized);
  });

  test.each([
    ['rubbish', () => 'rubbish'],
    ['the API key', () => signedIn.apiKey],
    ['changed in its payload', () => forge(signedIn.idToken, { firm: 'f'.repeat(24) })],
    ['unsigned', () => unsigned(signedIn.idToken)],
    ['without its signature', () => signedIn.idToken.replace(/[^.]+$/, '')],
  ])('§5 an ID token that is %s is 401', async (_, idToken) => {
    expect(await signedIn.call('helloWorld', { idToken: idToken() })).toMatchObject(unauthorized);
  });

  test.each(['Basic', 'Token', ''])(
    '§5 the ID token under the scheme %j is 401',
    async (scheme) => {
      const authorization = `${scheme} ${signedIn.idToken}`.trim();
      const { service, apiKey } = signedIn;
      const answer = await callOperation(service, 'helloWorld', {
        apiKey,
        headers: { authorization },
      });
      expect(answer).toMatchObject(unauthorized);
    },
  );

  test('§5 the ID token of another service is 401', async () => {
    const other = await startSignedInService();
    try {
      const { idToken } = other;
      expect(await signedIn.call('helloWorld', { idToken })).toMatchObject(unauthorized);
    } finally {
      await other.service.close();
    }
  });

  test('§5 the ID token of a user who was disabled is 401', async () => {
    const { service, firmId } = signedIn;
    const user = await service.createUser({ firmId });
    const idToken = await service.idToken(user);
    expect(await signedIn.call('helloWorld', { idToken })).toMatchObject({ status: 200 });
    await createUserStore(service.knex).disable(user.id);
    expect(await signedIn.call('helloWorld', { idToken })).toMatchObject(unauthorized);
  });
});

describe('§5 users with the Portal only access level cannot use the API', () => {
  test.each(everyWithUser)('§5, §7 %s of a Portal only user is 401', async (operationId) => {
    expect(await signedIn.call(operationId, { idToken: portalOnly })).toMatchObject({
      status: 401,
      body: { error: 'portalOnly' },
    });
  });
});

test('§4.2 hello world: returns a confirmation if both are accepted, without any scope', async () => {
  const { key: apiKey } = await signedIn.service.issueApiKey([]);
  expect(await signedIn.call('helloWorld', { apiKey })).toMatchObject({
    status: 200,
    body: { message: expect.stringMatching(/\S/) },
  });
});

/** Returns the token with other claims and the same signature. */
function forge(idToken: string, claims: object): string {
  const [header, payload = '', signature] = idToken.split('.');
  const forged = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims };
  return [header, Buffer.from(JSON.stringify(forged)).toString('base64url'), signature].join('.');
}

/** Returns the token with the algorithm `none` and without a signature. */
function unsigned(idToken: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  return `${header}.${idToken.split('.')[1]}.`;
}
