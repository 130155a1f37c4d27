import { afterAll, describe, expect, test } from 'vitest';
import { setFirmDisabled } from '../../../src/identity/disable-firm.js';
import { createAccountStore } from '../../../src/identity/providers/bound-accounts.js';
import { createUserStore } from '../../../src/identity/users.js';
import { invalid, unavailable } from '../token-calls.js';
import { startOidcService } from './oidc-service.js';

const { provider, service, refresh, signedIn, bound } = await startOidcService(afterAll);

describe('D-56 a refresh that is under way', () => {
  /**
   * Waits with the answer of the provider to a refresh, or answers with an outage, while `work`
   * runs.
   */
  function duringRefresh(work: () => Promise<unknown>, isOutage = false) {
    const done = { work: Promise.resolve<unknown>(undefined) };
    provider.state.intercept = async ({ url, method }, response) => {
      if (method !== 'POST' || url !== '/token') return false;
      provider.state.intercept = undefined;
      done.work = work();
      await done.work.catch(() => {});
      if (isOutage) response.writeHead(500).end();
      return isOutage;
    };
    return done;
  }

  test.each([
    ['user release', (id: string) => createAccountStore(service.knex).release(id)],
    ['user sign-out', (id: string) => createUserStore(service.knex).signOut(id)],
    ['user disable', (id: string) => createUserStore(service.knex).disable(id)],
    [
      'firm disable',
      async (id: string) => {
        const { firm_id: firmId } = await service.knex('users').where({ id }).first('firm_id');
        for (const isDisabled of [true, false]) {
          await setFirmDisabled(service.knex, { changed: async () => {} }, firmId, isDisabled);
        }
      },
    ],
  ])('D-56, D-60 `%s` does not wait for it, and it ends as refused', async (_, end) => {
    for (const isBound of [true, false]) {
      const user = await signedIn();
      const unbound = { account_issuer: null, account_subject: null };
      if (!isBound) await service.knex('users').where({ id: user.id }).update(unbound);
      const ended = duringRefresh(() => end(user.id));
      expect(await refresh(user.refreshToken)).toMatchObject(invalid);
      await ended.work;
      if (!isBound) expect(await bound(user.id)).toEqual(unbound);
      expect(await refresh(user.refreshToken)).toMatchObject(invalid);
    }
    const user = await signedIn();
    duringRefresh(() => end(user.id), true);
    expect(await refresh(user.refreshToken)).toMatchObject(unavailable);
    expect(await refresh(user.refreshToken)).toMatchObject(invalid);
  });

  test('D-56 a user who is not bound yet keeps the refresh token if the provider fails', async () => {
    const { id, login, refreshToken } = await signedIn();
    const unbound = { account_issuer: null, account_subject: null };
    await service.knex('users').where({ id }).update(unbound);
    duringRefresh(async () => {}, true);
    expect(await refresh(refreshToken)).toMatchObject(unavailable);
    expect(await bound(id)).toEqual(unbound);
    expect((await refresh(refreshToken)).status).toBe(200);
    expect(await bound(id)).toMatchObject({ account_subject: login });
  });
});
