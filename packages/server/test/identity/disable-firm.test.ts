import { afterAll, expect, test } from 'vitest';
import { createAuthenticator } from '../../src/identity/authenticator.js';
import { type FirmListener, setFirmDisabled } from '../../src/identity/disable-firm.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { createIdentityDatabase } from './identity-database.js';
import { apiKey, createTokenOperation, tokensOf } from './token-operation.js';

const database = await createIdentityDatabase(afterAll);

const silent: FirmListener = { changed: async () => {} };
const setDisabled = (firmId: string, isDisabled: boolean, listener = silent) =>
  setFirmDisabled(database.knex, listener, firmId, isDisabled, database.now);

function createCalls() {
  const { apiKeys, users, now, monotonicMs } = database;
  const { tokens, signIn, refresh } = createTokenOperation(database);
  const authenticator = createAuthenticator({ apiKeys, tokens, users, now, monotonicMs });
  return {
    signIn,
    signedIn: async (username: string) => tokensOf(await signIn(username)),
    refresh: async (refreshToken: string) => (await refresh(refreshToken)).status,
    call: (idToken: string) => authenticator.principal(`Bearer ${idToken}`, apiKey),
  };
}

test('D-60 users of a disabled firm have no access after 5 seconds, and tokens from before never work again', async () => {
  const { signIn, signedIn, refresh, call } = createCalls();
  const user = await database.createUser();
  const colleague = await database.createUser({ firmId: user.firmId });
  const other = await database.createUser();
  const before = await signedIn(user.username);
  const ofOther = await signedIn(other.username);
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
  const after = await signedIn(user.username);
  await call(after.idToken);
  // Enabling a firm that is enabled ends nothing.
  await setDisabled(user.firmId, false);
  database.wait(5);
  await call(after.idToken);
  expect(await refresh(after.refreshToken)).toBe(200);
  expect(await setDisabled('0'.repeat(24), true)).toBeUndefined();
});

test('D-60 a token is refused although only the firm says that it is disabled', async () => {
  const { signedIn, refresh, call } = createCalls();
  const user = await database.createUser();
  const { idToken, refreshToken } = await signedIn(user.username);
  const firm = database.knex('firms').where({ id: user.firmId });
  await firm.clone().update({ disabled_on: database.now() });
  await expect(call(idToken)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await refresh(refreshToken)).toBe(500);
  const { rows } = await database.knex.raw('select token_version from users where id = ?', [
    user.id,
  ]);
  const tokenUser = { id: user.id, firmId: user.firmId, tokenVersion: rows[0].token_version };
  const provider = { name: 'built-in' };
  expect(await database.refreshTokens.issue(tokenUser, apiKey.partner, provider)).toBeUndefined();
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
