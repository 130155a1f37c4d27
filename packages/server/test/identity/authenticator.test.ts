import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAuthenticator } from '../../src/identity/authenticator.js';
import { createTokenService } from '../../src/identity/tokens.js';
import { createIdentityDatabase } from './identity-database.js';

const database = await createIdentityDatabase(afterAll);

function create() {
  const { now, monotonicMs, apiKeys, users } = database;
  const clocks = { now, monotonicMs };
  const tokens = createTokenService({ ...database, issuer: 'https://adx.example.org' });
  return { tokens, ...createAuthenticator({ apiKeys, tokens, users, ...clocks }) };
}

const apiKey = { id: '1'.repeat(24), partner: 'Boekhoudpakket', scopes: [] };

async function signedIn(user: Parameters<typeof database.createUser>[0] = {}) {
  const authenticator = create();
  const created = await database.createUser(user);
  const credentials = await database.users.findCredentials(created.username);
  if (credentials === undefined) throw new Error('The user does not exist');
  const bearer = `Bearer ${await authenticator.tokens.issue(credentials, apiKey.partner)}`;
  const principal = (header?: string, key = apiKey) => authenticator.principal(header, key);
  return { ...authenticator, principal, user: created, bearer };
}

test.each([
  ['revoked', (id: string) => database.apiKeys.revoke(id)],
  ['rotated after a leak', (id: string) => database.apiKeys.rotate(id, { overlapMs: 0 })],
])(
  'D-20 D-35 a key that was %s is refused after 5 seconds, although the wall clock was set back',
  async (_, end) => {
    const { apiKey } = create();
    const { id, key } = await database.apiKeys.issue({ partner: 'P', scopes: [] });
    await apiKey(key);
    await end(id);
    database.setBack(600);
    database.wait(5);
    await expect(apiKey(key)).rejects.toMatchObject({ code: 'invalidApiKey' });
  },
);

test('D-20 a process measures the age of credentials with a clock that is never set', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { apiKeys, users } = database;
  const { apiKey } = createAuthenticator({ apiKeys, users, tokens: create().tokens });
  const { id, key } = await apiKeys.issue({ partner: 'P', scopes: [] });
  await apiKey(key);
  await apiKeys.revoke(id);
  vi.setSystemTime(Date.now() - 600_000);
  vi.advanceTimersByTime(5_000);
  await expect(apiKey(key)).rejects.toMatchObject({ code: 'invalidApiKey' });
});

test('§5 rule 6: changed scopes of a key count after 5 seconds at the latest', async () => {
  const { apiKey } = create();
  const { id, key } = await database.apiKeys.issue({ partner: 'P', scopes: ['files:read'] });
  await apiKey(key);
  await database.apiKeys.setScopes(id, ['files:write']);
  database.wait(5);
  expect(await apiKey(key)).toEqual({ id, partner: 'P', scopes: ['files:write'] });
});

test('D-35 an old secret that was just accepted is refused from the end of the overlap', async () => {
  const { apiKey } = create();
  const { id, key } = await database.apiKeys.issue({ partner: 'P', scopes: [] });
  await apiKey(key);
  await database.apiKeys.rotate(id, { overlapMs: 60_000 });
  database.wait(58);
  const expiresAt = new Date(database.now().getTime() + 2_000);
  expect(await apiKey(key)).toEqual({ id, partner: 'P', scopes: [], expiresAt });
  database.wait(1.999);
  expect(await apiKey(key)).toMatchObject({ id });
  database.wait(0.001);
  await expect(apiKey(key)).rejects.toMatchObject({ code: 'invalidApiKey' });
});

describe('§5 ID token', () => {
  test('§5 a valid token gives the principal, with the access of the user', async () => {
    const { principal, bearer, user } = await signedIn({ accessLevel: 'user', customers: [] });
    expect(await principal(bearer)).toEqual({
      userId: user.id,
      firmId: user.firmId,
      accessLevel: 'user',
      seesCustomers: 'assigned',
    });
  });

  test('§5 the scheme is case-insensitive', async () => {
    const { principal, bearer, user } = await signedIn();
    const lower = bearer.replace('Bearer', 'bearer');
    expect(await principal(lower)).toMatchObject({ userId: user.id });
  });

  test('§5 a missing or malformed header is refused', async () => {
    const { principal, bearer } = await signedIn();
    const token = bearer.slice(7);
    const malformed = ['', 'Bearer', 'Bearer ', token, `Basic ${token}`, `${bearer} x`];
    for (const header of [undefined, ...malformed]) {
      await expect(principal(header)).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });

  test('§5 rule 1: an expired token is refused even when it was just accepted', async () => {
    const { principal, bearer } = await signedIn();
    database.wait(3598);
    await principal(bearer);
    database.wait(2);
    await expect(principal(bearer)).rejects.toMatchObject({ code: 'tokenExpired' });
  });

  test('D-20 a disabled user is refused after 5 seconds, although the wall clock was set back', async () => {
    const { principal, bearer, user } = await signedIn();
    await principal(bearer);
    await database.users.disable(user.id);
    database.setBack(30);
    database.wait(5);
    await expect(principal(bearer)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('D-20 a token ends with a change of the password, after 5 seconds at the latest', async () => {
    const { principal, bearer, user } = await signedIn();
    await principal(bearer);
    await database.users.update(user.id, { accessLevel: 'user' });
    database.wait(5);
    await principal(bearer);
    await database.users.update(user.id, { passwordHash: database.passwordHash });
    database.wait(5);
    await expect(principal(bearer)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('D-22 a token works with every API key of its partner, and with no key of another', async () => {
    const { principal, bearer, user } = await signedIn({ accessLevel: 'portalOnly' });
    const another = { ...apiKey, partner: 'Ander pakket' };
    await expect(principal(bearer, another)).rejects.toMatchObject({ code: 'unauthorized' });
    await database.users.update(user.id, { accessLevel: 'user' });
    for (const key of [apiKey, { ...apiKey, id: '2'.repeat(24) }]) {
      expect(await principal(bearer, key)).toMatchObject({ userId: user.id });
      await expect(principal(bearer, another)).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });

  test('D-18 a changed access level or assignment takes effect after 5 seconds at the latest', async () => {
    const { principal, bearer, user } = await signedIn();
    await principal(bearer);
    await database.users.update(user.id, { accessLevel: 'user', customers: [] });
    database.wait(5);
    expect(await principal(bearer)).toMatchObject({
      accessLevel: 'user',
      seesCustomers: 'assigned',
    });
    await database.users.update(user.id, { accessLevel: 'portalOnly' });
    database.wait(5);
    await expect(principal(bearer)).rejects.toMatchObject({ code: 'portalOnly' });
  });

  test('§5 a token of a deleted user, or of another firm, is refused', async () => {
    const { principal, tokens, user } = await signedIn();
    const tokenVersion = 1;
    const issue = (of: { id: string; firmId: string }) =>
      tokens.issue({ ...of, tokenVersion }, apiKey.partner);
    const gone = await issue({ id: '0'.repeat(24), firmId: user.firmId });
    const moved = await issue({ id: user.id, firmId: '0'.repeat(24) });
    await principal(`Bearer ${await issue(user)}`);
    for (const token of [gone, moved]) {
      await expect(principal(`Bearer ${token}`)).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });
});
