import { createApiKeyStore, createUserStore } from '@adx/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOperation } from '../support/call-operation.js';
import { startTestService, type TestService, type TestUser } from '../support/test-service.js';

interface Tokens {
  readonly idToken: string;
  readonly refreshToken: string;
}

let service: TestService;
let user: TestUser;
/** API keys of two partners, and a second API key of the first one. */
let keys: { first: string; second: string; firstAgain: string };
beforeAll(async () => {
  service = await startTestService();
  user = await service.createUser({ firmId: await service.createFirm() });
  const store = createApiKeyStore(service.knex);
  const issue = async (partner: string) =>
    (await store.issue({ partner, scopes: ['customers:read'] })).key;
  keys = {
    first: await issue('Boekhoudpakket'),
    second: await issue('Praktijkbeheer'),
    firstAgain: await issue('Boekhoudpakket'),
  };
});
afterAll(() => service?.close());

const token = (apiKey: string, body: object) =>
  callOperation(service, 'getToken', { apiKey, body });

async function signIn(apiKey: string, { username, password } = user): Promise<Tokens> {
  const encoded = Buffer.from(password).toString('base64');
  const { body } = await token(apiKey, { username, password: encoded });
  return body as Tokens;
}

const invalid = { status: 500, body: { error: 'Invalid refresh token' } };

describe('§5 credentials of one partner', () => {
  it('a refresh token does not work with the API key of another partner', async () => {
    const { refreshToken } = await signIn(keys.first);
    const elsewhere = await token(keys.second, { refreshToken });
    const unknown = await token(keys.second, { refreshToken: `${refreshToken.slice(0, -4)}AAAA` });
    expect(elsewhere).toMatchObject(invalid);
    expect({ ...(elsewhere.body as object), requestId: '' }).toEqual({
      ...(unknown.body as object),
      requestId: '',
    });
    expect((await token(keys.first, { refreshToken })).status).toBe(200);
  });

  it('a refresh token works with another API key of the same partner', async () => {
    const { refreshToken } = await signIn(keys.first);
    expect((await token(keys.firstAgain, { refreshToken })).status).toBe(200);
  });

  it('a sign-in with one partner does not end the refresh tokens of another', async () => {
    const first = await signIn(keys.first);
    const second = await signIn(keys.second);
    expect((await token(keys.first, { refreshToken: first.refreshToken })).status).toBe(200);
    expect((await token(keys.second, { refreshToken: second.refreshToken })).status).toBe(200);
  });

  it('failed sign-ins with one partner do not lock the user out of another', async () => {
    const victim = await service.createUser({ firmId: await service.createFirm() });
    const wrong = { username: victim.username, password: 'ZmFsc2NoZXMgUGFzc3dvcnQ=' };
    const statuses = [];
    for (let tries = 0; tries < 12; tries += 1)
      statuses.push((await token(keys.first, wrong)).status);
    expect(statuses.at(-1)).toBe(429);
    expect(await signIn(keys.second, victim)).toHaveProperty('idToken');
  });

  it('revoking an API key does not revoke the other keys of its partner', async () => {
    const store = createApiKeyStore(service.knex);
    const { id, key } = await store.issue({ partner: 'Boekhoudpakket', scopes: [] });
    const { refreshToken } = await signIn(key);
    await store.revoke(id);
    expect((await token(key, { refreshToken })).status).toBe(403);
    expect((await token(keys.first, { refreshToken })).status).toBe(200);
  });
});

describe('§5 credentials of one user', () => {
  it('a refresh token returns ID tokens of its own user only', async () => {
    const other = await service.createUser({ firmId: await service.createFirm() });
    const claims = (idToken: string) =>
      JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
    const [mine, theirs] = [await signIn(keys.first), await signIn(keys.first, other)];
    expect(claims(theirs.idToken).sub).toBe(other.id);
    const refreshed = await token(keys.first, { refreshToken: mine.refreshToken });
    expect(claims((refreshed.body as Tokens).idToken)).toMatchObject({ sub: user.id });
    expect(claims(mine.idToken).firm).not.toBe(claims(theirs.idToken).firm);
  });

  it('both tokens of a disabled user stop working, and those of other users do not', async () => {
    const other = await service.createUser({ firmId: await service.createFirm() });
    const [mine, theirs] = [await signIn(keys.first), await signIn(keys.first, other)];
    await createUserStore(service.knex).disable(other.id);
    expect(await token(keys.first, { refreshToken: theirs.refreshToken })).toMatchObject(invalid);
    const hello = (idToken: string) =>
      callOperation(service, 'helloWorld', { apiKey: keys.first, idToken });
    expect((await hello(theirs.idToken)).status).toBe(401);
    expect((await hello(mine.idToken)).status).toBe(200);
  });
});
