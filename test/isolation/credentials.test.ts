import { createApiKeyStore, createUserStore } from '@adx/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { quickPasswordHash } from '../../packages/server/test/support/users.js';
import { callOperation } from '../support/call-operation.js';
import type { TestService, TestUser } from '../support/test-service.js';
import { useTestService } from '../support/use-service.js';
import { casesOf } from './cases.js';

interface Tokens {
  readonly idToken: string;
  readonly refreshToken: string;
}

const service = useTestService();
let user: TestUser;
/** API keys of two partners, and a second API key of the first one. */
let keys: { first: string; second: string; firstAgain: string };
beforeAll(async () => {
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

const token = (apiKey: string, body: object) =>
  callOperation(service, 'getToken', { apiKey, body });

async function signIn(apiKey: string, { username, password } = user): Promise<Tokens> {
  const encoded = Buffer.from(password).toString('base64');
  const { body } = await token(apiKey, { username, password: encoded });
  return body as Tokens;
}

const invalid = { status: 500, body: { error: 'Invalid refresh token' } };

const hello = (apiKey: string, idToken: string) =>
  callOperation(service, 'helloWorld', { apiKey, idToken });

it('§5 all operations that concern credentials only are tested here', () => {
  expect(casesOf('credentials').map(({ operationId }) => operationId)).toEqual(['getToken']);
});

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

  it('D-22 an ID token works with every API key of its partner, and with no other', async () => {
    const { idToken, refreshToken } = await signIn(keys.first);
    const refreshed = (await token(keys.firstAgain, { refreshToken })).body as Tokens;
    for (const each of [idToken, refreshed.idToken]) {
      expect((await hello(keys.first, each)).status).toBe(200);
      expect((await hello(keys.firstAgain, each)).status).toBe(200);
      expect(await hello(keys.second, each)).toMatchObject({
        ...{ status: 401, body: { error: 'unauthorized' } },
      });
    }
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
    expect((await hello(keys.first, theirs.idToken)).status).toBe(401);
    expect((await hello(keys.first, mine.idToken)).status).toBe(200);
  });

  type Ended = Awaited<ReturnType<TestService['createUser']>>;
  const store = () => createUserStore(service.knex);
  const changed = async (ended: Ended) => {
    const password = 'Een-nieuw-wachtwoord';
    await store().update(ended.id, { passwordHash: await quickPasswordHash(password) });
    return password;
  };
  const signedOut = async ({ username, password }: Ended) => {
    expect(await store().signOut(username.toUpperCase())).toMatchObject({ username });
    return password;
  };

  it.each([
    ['a new password', changed],
    ['`user sign-out`', signedOut],
  ])('D-20 %s ends all tokens of the user, with all partners', async (_, end) => {
    const other = await service.createUser({ firmId: await service.createFirm() });
    const [first, second] = [await signIn(keys.first, other), await signIn(keys.second, other)];
    const mine = await signIn(keys.first);
    const password = await end(other);
    for (const [key, { idToken, refreshToken }] of [
      [keys.first, first],
      [keys.second, second],
    ] as const) {
      expect(await hello(key, idToken)).toMatchObject({
        ...{ status: 401, body: { error: 'unauthorized' } },
      });
      expect(await token(key, { refreshToken })).toMatchObject(invalid);
    }
    expect((await hello(keys.first, mine.idToken)).status).toBe(200);
    const again = await signIn(keys.first, { ...other, password });
    expect((await hello(keys.first, again.idToken)).status).toBe(200);
  });
});
