import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newObjectId } from '../../src/identifiers/object-id.js';
import { setFirmDisabled } from '../../src/identity/disable-firm.js';
import { createIdentityHandlers } from '../../src/identity/handlers.js';
import { hashPassword } from '../../src/identity/passwords.js';
import { createSignInLimit } from '../../src/identity/sign-in.js';
import { createTokenService } from '../../src/identity/tokens.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { everyTextIn } from './every-text-in.js';
import { createIdentityDatabase, PASSWORD } from './identity-database.js';

let database: Awaited<ReturnType<typeof createIdentityDatabase>>;
beforeAll(async () => {
  database = await createIdentityDatabase();
});
afterAll(() => database.close());

const base64 = (text: string) => Buffer.from(text).toString('base64');
const requestId = '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10';
const apiKey = { id: '1'.repeat(24), partner: 'Boekhoudpakket', scopes: [] };
const otherPartner = { ...apiKey, id: '2'.repeat(24), partner: 'Ander pakket' };

const messages = {
  'Authentication failed':
    'The username or password is wrong, or the password is not encoded in Base64.',
  'Invalid refresh token': 'The refresh token is not valid; sign in again.',
};

const failed = (error: keyof typeof messages) => ({
  status: 500,
  body: { error, message: messages[error], requestId },
});

/** Creates the token operation of a separate service, with its log. */
function createOperation(failures = 10) {
  let logged = '';
  const log = pino(
    new Writable({
      write(chunk, _encoding, done) {
        logged += chunk;
        done();
      },
    }),
  );
  const tokens = createTokenService({
    knex: database.knex,
    issuer: 'https://adx.example.org',
    signingKeySecret: database.signingKeySecret,
    now: database.now,
  });
  const { users, refreshTokens } = database;
  const limit = createSignInLimit({ failures });
  const { getToken } = createIdentityHandlers({ users, refreshTokens, tokens, limit });
  return {
    tokens,
    logged: () => logged,
    signIn: (username: string, password = base64(PASSWORD), key = apiKey) =>
      getToken({ path: {}, body: { username, password } }, { apiKey: key, requestId, log }),
    refresh: (refreshToken: string, key = apiKey) =>
      getToken({ path: {}, body: { refreshToken } }, { apiKey: key, requestId, log }),
  };
}

type Answer = { status: number; body: object };
const tokensOf = ({ status, body }: Answer) => {
  expect(status).toBe(200);
  return body as { idToken: string; refreshToken: string };
};

describe('§4.1 get token', () => {
  test('§4.1 username and Base64 password give an ID token of the user and a refresh token', async () => {
    const { signIn, tokens } = createOperation();
    const user = await database.createUser();
    const { idToken, refreshToken } = tokensOf(await signIn(user.username.toUpperCase()));
    expect(refreshToken).toMatch(/^adx_refresh_[\w-]{43}$/);
    expect(await tokens.verify(idToken)).toMatchObject({ userId: user.id, firmId: user.firmId });
  });

  test('§5 rule 4: a portal-only user can get a token too', async () => {
    const user = await database.createUser({ accessLevel: 'portalOnly' });
    expect((await createOperation().signIn(user.username)).status).toBe(200);
  });

  test('§7 wrong user, wrong password, disabled user and plain-text password fail in the same way', async () => {
    const { signIn, logged } = createOperation();
    const user = await database.createUser();
    const disabled = await database.createUser();
    await database.users.disable(disabled.id);
    const answers = [
      await signIn('nobody@kantoor.example'),
      await signIn(user.username, base64('paard-batterij-niets')),
      await signIn(user.username, PASSWORD),
      await signIn(user.username, ''),
      await signIn(disabled.username),
    ];
    for (const answer of answers) expect(answer).toEqual(failed('Authentication failed'));
    const causes = [...logged().matchAll(/"cause":"([^"]+)"/g)].map(([, cause]) => cause);
    expect(causes).toEqual([
      'unknown user',
      'wrong password',
      'password not Base64-encoded',
      'password not Base64-encoded',
      'user is disabled',
    ]);
  });

  test('§4.1 a plain-text password that happens to be Base64 fails as a wrong password', async () => {
    const password = 'PaardBatterijNietje1';
    const user = await database.createUser({ passwordHash: await hashPassword(password) });
    const { signIn } = createOperation();
    expect(await signIn(user.username, password)).toEqual(failed('Authentication failed'));
    expect((await signIn(user.username, base64(password))).status).toBe(200);
  });

  test('D-20 an unknown user takes as much processor time as a wrong password', async () => {
    const user = await database.createUser();
    const { signIn } = createOperation(1000);
    const wrong = base64('paard-batterij-niets');
    const unknownUser = await processorTime(() => signIn('nobody@kantoor.example', wrong));
    const wrongPassword = await processorTime(() => signIn(user.username, wrong));
    // Without the decoy the ratio is below 0.2. Processor time hardly depends on other load.
    expect(unknownUser / wrongPassword).toBeGreaterThan(0.4);
    expect(unknownUser / wrongPassword).toBeLessThan(2.5);
  });

  test('D-20 no token, password or key is in the database or in the log', async () => {
    const { signIn, refresh, logged } = createOperation();
    const user = await database.createUser();
    const { idToken, refreshToken } = tokensOf(await signIn(user.username));
    await refresh(refreshToken);
    await refresh(`${refreshToken}x`);
    await signIn(user.username, PASSWORD);
    await signIn(user.username, base64(`${PASSWORD}!`));
    const stored = await everyTextIn(database.knex);
    expect(stored).toContain(user.username);
    expect(logged()).toContain('wrong password');
    for (const secret of [
      PASSWORD,
      base64(PASSWORD),
      idToken,
      refreshToken,
      refreshToken.slice(12),
    ]) {
      expect(stored).not.toContain(secret);
      expect(logged()).not.toContain(secret);
    }
  });

  test('D-23 after too many failures, only this user with this API key has to wait', async () => {
    const { signIn } = createOperation(3);
    const user = await database.createUser();
    const other = await database.createUser();
    for (let n = 0; n < 3; n += 1) await signIn(user.username, base64('paard-batterij-niets'));
    await expect(signIn(user.username.toUpperCase())).rejects.toMatchObject({
      code: 'tooManyRequests',
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
    });
    expect((await signIn(other.username)).status).toBe(200);
    expect((await signIn(user.username, base64(PASSWORD), otherPartner)).status).toBe(200);
  });

  test.each([
    ['Élan', 'élan'],
    ['ÉLAN', 'éLAN'],
    ['σίσυφος', 'ΣΊΣΥΦΟΣ'],
  ])('D-23 %s and %s are one user with one count, in any locale of the database', async (a, b) => {
    const { signIn } = createOperation(1);
    const username = `${a}-${newObjectId()}`;
    const other = username.replace(a, b);
    await database.createUser({ username });
    expect((await signIn(other)).status).toBe(200);
    await signIn(username, base64('paard-batterij-niets'));
    await expect(signIn(other)).rejects.toMatchObject({ code: 'tooManyRequests' });
    await expect(database.createUser({ username: other })).rejects.toThrow('usernameTaken');
  });

  test('D-23 an unknown user has the same limit as a known one', async () => {
    const { signIn } = createOperation(1);
    await signIn('nobody@kantoor.example');
    await expect(signIn('nobody@kantoor.example')).rejects.toMatchObject({
      code: 'tooManyRequests',
    });
  });
});

describe('§5 rule 2: refresh tokens', () => {
  async function signedIn() {
    const operation = createOperation();
    const user = await database.createUser();
    const { refreshToken } = tokensOf(await operation.signIn(user.username));
    return { ...operation, user, refreshToken };
  }
  const invalid = failed('Invalid refresh token');

  test('§5 rule 2: a refresh gives only a new ID token, and the refresh token stays valid', async () => {
    const { refresh, refreshToken, tokens, user } = await signedIn();
    for (let day = 0; day < 3; day += 1) {
      database.wait(86_400);
      const answer = tokensOf(await refresh(refreshToken));
      expect(Object.keys(answer)).toEqual(['idToken']);
      expect(await tokens.verify(answer.idToken)).toMatchObject({ userId: user.id });
    }
  });

  test('§5 rule 2: a refresh token expires after 30 days, and is removed', async () => {
    const { refresh, refreshToken, user } = await signedIn();
    database.wait(30 * 86_400 - 1);
    expect((await refresh(refreshToken)).status).toBe(200);
    database.wait(1);
    expect(await refresh(refreshToken)).toEqual(invalid);
    expect(await database.knex('refresh_tokens').where({ user_id: user.id })).toEqual([]);
  });

  test('§5 rule 2: a new sign-in keeps other refresh tokens of the user and removes expired ones', async () => {
    const { signIn, refresh, refreshToken, user } = await signedIn();
    database.wait(20 * 86_400);
    const second = tokensOf(await signIn(user.username)).refreshToken;
    expect((await refresh(refreshToken)).status).toBe(200);
    database.wait(10 * 86_400);
    await signIn(user.username);
    expect(await database.knex('refresh_tokens').where({ user_id: user.id })).toHaveLength(2);
    expect((await refresh(second)).status).toBe(200);
  });

  test('§7 an unknown or malformed refresh token is refused', async () => {
    const { refresh, refreshToken } = await signedIn();
    for (const wrong of [`adx_refresh_${'A'.repeat(43)}`, refreshToken.slice(12), '', '\u0000']) {
      expect(await refresh(wrong)).toEqual(invalid);
    }
  });

  test("D-22 a refresh token works with every API key of its partner and with no other partner's", async () => {
    const { refresh, refreshToken } = await signedIn();
    expect((await refresh(refreshToken, { ...apiKey, id: '3'.repeat(24) })).status).toBe(200);
    expect(await refresh(refreshToken, otherPartner)).toEqual(invalid);
  });

  test('D-20 a new password ends the refresh tokens; another access level does not', async () => {
    const { refresh, refreshToken, user } = await signedIn();
    await database.users.update(user.id, { accessLevel: 'user' });
    expect((await refresh(refreshToken)).status).toBe(200);
    await database.users.update(user.id, { passwordHash: database.passwordHash });
    expect(await refresh(refreshToken)).toEqual(invalid);
  });

  test('D-20 disabling the user ends the refresh tokens', async () => {
    const { refresh, refreshToken, user } = await signedIn();
    await database.users.disable(user.id);
    expect(await refresh(refreshToken)).toEqual(invalid);
    await database.knex('users').where({ id: user.id }).update({ disabled_on: null });
    expect(await refresh(refreshToken)).toEqual(invalid);
    expect(await database.knex('refresh_tokens').where({ user_id: user.id })).toEqual([]);
  });

  test('D-60 the log names the disabled user or firm of a refused sign-in and refresh, and no username', async () => {
    const { signIn, refresh, logged } = createOperation();
    const [user, ofFirm] = [await database.createUser(), await database.createUser()];
    const users = [user, ofFirm];
    const tokens = [];
    for (const { username } of users) tokens.push(tokensOf(await signIn(username)).refreshToken);
    await database.users.disable(user.id);
    await setFirmDisabled(database.knex, { changed: async () => {} }, ofFirm.firmId, true);
    for (const { username } of users) {
      expect(await signIn(username)).toEqual(failed('Authentication failed'));
    }
    for (const token of tokens) expect(await refresh(token)).toEqual(invalid);
    const refusals = [
      { cause: 'user is disabled', firmId: user.firmId, userId: user.id },
      { cause: 'firm is disabled', firmId: ofFirm.firmId, userId: ofFirm.id },
    ];
    const lines = logged().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([...refusals, ...refusals]);
    for (const { username } of users) expect(logged()).not.toContain(username);
  });

  test.each([
    ['a change of password', { password_hash: '-' }],
    ['the end of the access', { disabled_on: new Date() }],
  ])('D-20 a sign-in overtaken by %s leaves no refresh token', async (_, change) => {
    const user = await database.createUser();
    const verified = await database.users.findCredentials(user.username);
    if (verified === undefined) throw new Error('No such user');
    const trx = await database.knex.transaction();
    await trx('users').where({ id: user.id }).update(change);
    const overtaken = database.refreshTokens.issue(verified, apiKey.partner, { name: 'built-in' });
    await waitUntilBlocked(database.knex);
    await trx.commit();
    expect(await overtaken).toBeUndefined();
    expect(await database.knex('refresh_tokens').where({ user_id: user.id })).toEqual([]);
  });
});

/** Returns the processor time of some calls, of all threads of this process, in microseconds. */
async function processorTime(call: () => unknown): Promise<number> {
  await call();
  const before = process.cpuUsage();
  for (let n = 0; n < 20; n += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
