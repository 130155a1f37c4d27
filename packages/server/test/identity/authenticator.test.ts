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
