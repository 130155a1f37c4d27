import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAccountStore } from '../../../src/identity/providers/bound-accounts.js';
import { everyTextIn } from '../every-text-in.js';
import { invalid, unavailable } from '../token-calls.js';
import { startOidcService } from './oidc-service.js';

const { accounts, logged, log, provider, service, apiKey, ...oidc } =
  await startOidcService(afterAll);
const { token, signIn, refresh, createUser, signedIn, bound } = oidc;

describe('D-56 OpenID Connect', () => {
  test('§4.1 the provider checks the password, and the tokens are ours', async () => {
    const { id, idToken, refreshToken } = await signedIn();
    expect(refreshToken).toMatch(/^adx_refresh_/);
    const headers = { 'x-api-key': apiKey, authorization: `Bearer ${idToken}` };
    expect((await service.raw('/hello-world', { headers })).status).toBe(200);
    const claims = JSON.parse(Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ sub: id, iss: 'http://localhost:3000' });
    for (let n = 0; n < 3; n += 1) {
      const { status, body } = await refresh(refreshToken);
      expect([status, Object.keys(body)]).toEqual([200, ['idToken']]);
    }
  });

  test('D-56 refreshes at once never show a rotated token to the provider twice', async () => {
    const { refreshToken } = await signedIn();
    // Calls of one API key would wait for each other anyway (D-39).
    const keys = await Promise.all(Array.from({ length: 4 }, () => service.issueApiKey()));
    const answers = await Promise.all(keys.map(({ key }) => token({ refreshToken }, key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  test('§7 a refusal has the reason of the provider, at sign-in and at refresh', async () => {
    const { login, password, refreshToken } = await signedIn();
    const refused = await signIn(login, 'fout paard');
    expect(refused).toMatchObject({ status: 500, body: { error: 'Invalid user credentials' } });
    // The log has no words of the provider, which may name the user in them.
    await vi.waitFor(() => expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({ status: 500 }));
    expect(JSON.parse(log.at(-1) ?? '').code).toBe('signInRefused');
    expect(log.join('')).not.toContain('Invalid user credentials');
    // The password that our own database has is of no use.
    expect(await signIn(login, password)).toMatchObject({
      body: { error: refused.body.error },
    });
    expect(await token({ username: login, password: 'goed paard' })).toMatchObject({
      body: { error: 'Authentication failed' },
    });
    accounts.delete(login);
    expect(await refresh(refreshToken)).toMatchObject({
      status: 500,
      body: { error: expect.stringMatching(/invalid|not found/) },
    });
  });

  test('D-56 a user who is unknown or disabled here, or renamed there, is refused in our words', async () => {
    accounts.set('vreemd', { password: 'goed paard', username: 'vreemd@elders.example' });
    const failed = { status: 500, body: { error: 'Authentication failed' } };
    expect(await signIn('vreemd')).toMatchObject(failed);
    const { login, refreshToken, id } = await signedIn();
    const { username } = await createUser();
    accounts.set(login, { password: 'goed paard', username });
    expect(await refresh(refreshToken)).toMatchObject(failed);
    const disabled = await signedIn();
    for (const user of [id, disabled.id]) {
      await service.knex('users').where({ id: user }).update({ disabled_on: new Date() });
    }
    expect(await signIn(disabled.login)).toMatchObject(failed);
    expect(await refresh(disabled.refreshToken)).toMatchObject(invalid);
  });

  test('D-56 without a refresh token of this provider, ours gives no ID token', async () => {
    const without = await signedIn({ withoutRefresh: true });
    expect(await refresh(without.refreshToken)).toMatchObject(invalid);
    const { id, refreshToken } = await signedIn();
    await service.knex('refresh_tokens').where({ user_id: id }).update({ provider: 'built-in' });
    expect(await refresh(refreshToken)).toMatchObject(invalid);
  });

  test('D-56 the database has no token of the provider in plain text', async () => {
    let given = '';
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (...call) => {
      const response = await original(...call);
      const text = await response.clone().text();
      given ||= /"refresh_token":"([^"]+)"/.exec(text)?.[1] ?? '';
      return response;
    });
    const { id } = await signedIn();
    vi.restoreAllMocks();
    expect(given).toMatch(/^[\w-]{43}$/);
    const row = await service.knex('refresh_tokens').where({ user_id: id }).first();
    expect(row.provider_token.length).toBe(43 + 12 + 16);
    expect(row.provider_token.includes(given)).toBe(false);
    expect(await everyTextIn(service.knex)).not.toContain(given);
  });
});

describe('D-56 accounts', () => {
  const other = {
    status: 500,
    body: {
      error: 'Authentication failed',
      message: expect.stringContaining('signed in with another account'),
    },
  };
  /** The line of the last refused sign-in. */
  const otherAccount = (boundUserId: string, cause: string) => ({
    ...{ code: 'otherAccount', partner: 'Tests', boundUserId, cause },
    msg: 'sign-in refused: another account of the identity provider',
  });
  let fresh = 0;
  /** Creates another account at the provider with the username of a user. */
  function addAccount({ username }: { username: string }) {
    fresh += 1;
    accounts.set(`fresh-${fresh}`, { password: 'goed paard', username });
    return `fresh-${fresh}`;
  }

  test('D-56 a user is bound to the first account, and another one with the same username is refused', async () => {
    const user = await createUser();
    const logins = [user.login, addAccount(user), addAccount(user)];
    const answers = await Promise.all(logins.map((login) => signIn(login)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 500, 500]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await bound(user.id)).toEqual({
      ...{ account_issuer: provider.issuer, account_subject: logins[winner] },
    });
    for (const [n, login] of logins.entries()) {
      expect(await signIn(login)).toMatchObject(n === winner ? { status: 200 } : other);
    }
    const { refreshToken } = answers[winner]?.body ?? {};
    expect((await refresh(refreshToken)).status).toBe(200);
    const changed = { account_subject: 'somebody else' };
    await service.knex('users').where({ id: user.id }).update(changed);
    expect(await refresh(refreshToken)).toMatchObject(other);
    expect(await refresh(refreshToken)).toMatchObject(invalid);
  });

  test('D-56 an account that takes the name of a user who never signed in is refused, unless its own user is disabled', async () => {
    const { login, id } = await signedIn();
    const victim = await createUser();
    accounts.set(login, { password: 'goed paard', username: victim.username });
    expect(await signIn(login)).toMatchObject(other);
    expect(logged.at(-1)).toMatchObject(otherAccount(id, 'account is bound to another user'));
    expect(await bound(victim.id)).toMatchObject({ account_subject: null });
    await service.knex('users').where({ id }).update({ disabled_on: new Date() });
    expect((await signIn(login)).status).toBe(200);
  });

  test('D-56 a user who is released, or of another provider, is bound anew, and nothing of the old account works', {
    tags: 'long',
  }, async () => {
    const user = await signedIn();
    const login = addAccount(user);
    expect(await signIn(login)).toMatchObject(other);
    expect(logged.at(-1)).toMatchObject(otherAccount(user.id, 'user is bound to another account'));
    await createAccountStore(service.knex).release(user.id);
    expect(await refresh(user.refreshToken)).toMatchObject(invalid);
    expect((await signIn(login)).status).toBe(200);
    expect(await signIn(user.login)).toMatchObject(other);
    const row = await service.knex('users').where({ id: user.id }).first('token_version');
    expect(row).toEqual({ token_version: 2 });
    const elsewhere = { account_issuer: 'https://old.example' };
    await service.knex('users').where({ id: user.id }).update(elsewhere);
    expect((await signIn(login)).status).toBe(200);
    expect(await bound(user.id)).toMatchObject({ account_issuer: provider.issuer });
  });
});

const original = globalThis.fetch;

describe('D-56 a provider that fails', () => {
  test('D-56 an outage is 503, counts as no failed sign-in, and ends by itself', async () => {
    const { login, refreshToken } = await signedIn();
    await provider.stop();
    for (let n = 0; n < 11; n += 1) expect(await signIn(login)).toMatchObject(unavailable);
    expect(await refresh(refreshToken)).toMatchObject(unavailable);
    expect((await fetch(new URL('/readyz', service.baseUrl))).status).toBe(200);
    await provider.listen();
    expect((await signIn(login)).status).toBe(200);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  test.each([
    ['a failure', 500, {}, '{"error":"invalid_grant"}'],
    ['too many requests', 429, {}, '{"error":"invalid_grant"}'],
    ['a refused client', 401, {}, '{"error":"invalid_client"}'],
    ['a redirect', 302, { location: '/elsewhere' }, ''],
    ['no JSON', 200, {}, 'ok'],
    ['a large answer', 200, {}, `{"access_token":"${'a'.repeat(1_100_000)}"}`],
    ['no ID token', 200, {}, '{"access_token":"a","token_type":"bearer"}'],
  ])('D-56 %s of the provider is 503', async (_, status, headers, body) => {
    const { login } = await createUser();
    provider.state.requests.length = 0;
    provider.state.intercept = ({ url, method }, response) => {
      if (method !== 'POST' || url !== '/token') return false;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      return true;
    };
    expect(await signIn(login)).toMatchObject(unavailable);
    expect(provider.state.requests).not.toContain('/elsewhere');
    if (status !== 200) {
      const asked = `${new URL(provider.issuer).origin}/token answered ${status}`;
      expect(JSON.stringify(logged.at(-1))).toContain(asked);
    }
    provider.state.intercept = undefined;
    expect((await signIn(login)).status).toBe(200);
  });

  test.each(['/.well-known/openid-configuration', '/jwks'])(
    'D-56 the log says that %s answered 502',
    async (path) => {
      const { login } = await createUser();
      // After a failure, metadata and keys are asked for again.
      provider.state.intercept = ({ url, method }, response) => {
        if (method === 'GET' && url !== path) return false;
        response.writeHead(502).end();
        return true;
      };
      for (let n = 0; n < 2; n += 1) {
        expect(await signIn(login)).toMatchObject(unavailable);
        provider.state.intercept = ({ url }, response) => {
          if (url !== path) return false;
          response.writeHead(502).end();
          return true;
        };
      }
      const { origin } = new URL(provider.issuer);
      expect(JSON.stringify(logged.at(-1))).toContain(`GET ${origin}${path}: it answered 502`);
      provider.state.intercept = undefined;
      expect((await signIn(login)).status).toBe(200);
    },
  );

  test('D-39 sign-ins of a partner do not wait for each other at a slow provider', {
    tags: 'long',
  }, async () => {
    const users = [await createUser(), await createUser(), await createUser()];
    const waiting: (() => void)[] = [];
    onTestFinished(() => {
      provider.state.intercept = undefined;
    });
    provider.state.intercept = async ({ url, method }) => {
      if (method !== 'POST' || url !== '/token') return false;
      await new Promise<void>((resolve) => {
        // None is answered before all have come.
        waiting.push(resolve);
        if (waiting.length === users.length) for (const each of waiting) each();
      });
      return false;
    };
    const answers = await Promise.all(users.map(({ login }) => signIn(login)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('D-56 a provider that does not answer is 503 after five seconds', {
    tags: 'long',
  }, async () => {
    const { login } = await createUser();
    provider.state.intercept = () => true;
    const started = performance.now();
    expect(await signIn(login)).toMatchObject(unavailable);
    expect(performance.now() - started).toBeGreaterThan(4_500);
    provider.state.intercept = undefined;
  });
});
