import { afterAll, describe, expect, test } from 'vitest';
import { setFirmDisabled } from '../../src/identity/disable-firm.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { createIdentityDatabase } from './identity-database.js';
import { apiKey, createTokenOperation, failed, tokensOf } from './token-operation.js';

const database = await createIdentityDatabase(afterAll);

const createOperation = () => createTokenOperation(database);

describe('§5 rule 2: refresh tokens', () => {
  async function signedIn() {
    const operation = createOperation();
    const user = await database.createUser();
    const { refreshToken } = tokensOf(await operation.signIn(user.username));
    return { ...operation, user, refreshToken };
  }
  const invalid = failed('Invalid refresh token');

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
    ['a sign-out', { token_version: 2 }],
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
