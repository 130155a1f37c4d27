import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthenticator } from '../../src/identity/authenticator.js';
import { type FirmListener, setFirmDisabled } from '../../src/identity/disable-firm.js';
import { createIdentityHandlers } from '../../src/identity/handlers.js';
import { createSignInLimit } from '../../src/identity/sign-in.js';
import { createTokenService } from '../../src/identity/tokens.js';
import { createLogger } from '../../src/logger.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { createIdentityDatabase, PASSWORD } from './identity-database.js';

let database: Awaited<ReturnType<typeof createIdentityDatabase>>;
beforeAll(async () => {
  database = await createIdentityDatabase();
});
afterAll(() => database.close());

const apiKey = { id: '1'.repeat(24), partner: 'Boekhoudpakket', scopes: [] };
const silent: FirmListener = { changed: async () => {} };
const setDisabled = (firmId: string, isDisabled: boolean, listener = silent) =>
  setFirmDisabled(database.knex, listener, firmId, isDisabled, database.now);

function createCalls() {
  const { knex, users, refreshTokens, now, monotonicMs, signingKeySecret } = database;
  const tokens = createTokenService({
    ...{ knex, signingKeySecret, now },
    issuer: 'https://adx.example.org',
  });
  const limit = createSignInLimit();
  const { getToken } = createIdentityHandlers({ users, refreshTokens, tokens, limit });
  const context = { apiKey, requestId: '1', log: createLogger('silent') };
  const authenticator = createAuthenticator({
    ...{ apiKeys: database.apiKeys, tokens, users, now, monotonicMs },
  });
  return {
    signIn: async (username: string) => {
      const password = Buffer.from(PASSWORD).toString('base64');
      const { status, body } = await getToken({ path: {}, body: { username, password } }, context);
      return { status, ...(body as { idToken: string; refreshToken: string }) };
    },
    refresh: async (refreshToken: string) =>
      (await getToken({ path: {}, body: { refreshToken } }, context)).status,
    call: (idToken: string) => authenticator.principal(`Bearer ${idToken}`, apiKey),
  };
}

test('D-60 users of a disabled firm have no access after 5 seconds, and tokens from before never work again', async () => {
  const { signIn, refresh, call } = createCalls();
  const user = await database.createUser();
  const colleague = await database.createUser({ firmId: user.firmId });
  const other = await database.createUser();
  const before = await signIn(user.username);
  const ofOther = await signIn(other.username);
  await call(before.idToken);
  await call(ofOther.idToken);
  const at = database.now();
  expect(await setDisabled(user.firmId, true)).toMatchObject({ id: user.firmId, disabledOn: at });
  database.wait(5);
  await expect(call(before.idToken)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await refresh(before.refreshToken)).toBe(500);
  for (const { username } of [user, colleague]) expect((await signIn(username)).status).toBe(500);
  await call(ofOther.idToken);
  expect(await refresh(ofOther.refreshToken)).toBe(200);

  expect(await setDisabled(user.firmId, true)).toMatchObject({ disabledOn: at });
  expect(await setDisabled(user.firmId, false)).toMatchObject({ disabledOn: null });
  database.wait(5);
  await expect(call(before.idToken)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await refresh(before.refreshToken)).toBe(500);
  const after = await signIn(user.username);
  await call(after.idToken);
  // Enabling a firm that is enabled ends nothing.
  await setDisabled(user.firmId, false);
  database.wait(5);
  await call(after.idToken);
  expect(await refresh(after.refreshToken)).toBe(200);
  expect(await setDisabled('0'.repeat(24), true)).toBeUndefined();
});

test('D-60 a token is refused although only the firm says that it is disabled', async () => {
  const { signIn, refresh, call } = createCalls();
  const user = await database.createUser();
  const { idToken, refreshToken } = await signIn(user.username);
  const firm = database.knex('firms').where({ id: user.firmId });
  await firm.clone().update({ disabled_on: database.now() });
  await expect(call(idToken)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await refresh(refreshToken)).toBe(500);
  const { rows } = await database.knex.raw('select token_version from users where id = ?', [
    user.id,
  ]);
  const tokenUser = { id: user.id, firmId: user.firmId, tokenVersion: rows[0].token_version };
  const provider = { name: 'built-in' };
  expect(await database.refreshTokens.issue(tokenUser, 'Boekhoudpakket', provider)).toBeUndefined();
});

test('D-60 a sign-in overtaken by disabling the firm leaves no refresh token', async () => {
  const user = await database.createUser();
  const verified = await database.users.findCredentials(user.username);
  if (verified === undefined) throw new Error('No such user');
  let overtaken: Promise<string | undefined> | undefined;
  await setDisabled(user.firmId, true, {
    async changed() {
      overtaken = database.refreshTokens.issue(verified, apiKey.partner, { name: 'built-in' });
      await waitUntilBlocked(database.knex);
    },
  });
  expect(await overtaken).toBeUndefined();
  expect(await database.knex('refresh_tokens').where({ user_id: user.id })).toEqual([]);
});
