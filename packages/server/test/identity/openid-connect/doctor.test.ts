import { expect, onTestFinished, test } from 'vitest';
import { toProviderSettings } from '../../../src/identity/providers/provider-settings.js';
import { checkProvider } from '../../../src/operator/doctor/check-provider.js';
import { settings as allSettings } from '../../../src/settings.js';
import { type Account, CLIENT, startOidcServer } from './oidc-server.js';

async function startProvider(accounts?: Map<string, Account>) {
  const provider = await startOidcServer(accounts);
  onTestFinished(provider.stop);
  const settings = {
    ...{ IDENTITY_PROVIDER: 'oidc', OIDC_ISSUER: provider.issuer },
    ...{ OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
  };
  return {
    ...provider,
    check: (changes: object = {}) =>
      checkProvider(toProviderSettings(allSettings.parse({ ...settings, ...changes }))),
  };
}

test('D-61 doctor signs in at the provider as a user who does not exist', async () => {
  const { issuer, check, state } = await startProvider(new Map());
  expect(await check()).toEqual({ name: 'identity provider', result: 'ok', found: issuer });
  expect(state.requests.at(-1)).toBe('/token');
  expect(await check({ OIDC_CLIENT_SECRET: 'wrong' })).toMatchObject({
    result: 'problem',
    found: `The identity provider cannot be used: ${issuer}/token answered 401 invalid_client`,
    advice: expect.stringMatching(/^Check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET/),
  });
});

test('D-56 doctor names a provider without the password grant, which cannot be used', async () => {
  const { issuer, check } = await startProvider();
  expect(await check()).toMatchObject({
    result: 'problem',
    found: `The identity provider cannot be used: ${issuer}/token answered 400 unsupported_grant_type`,
    advice: expect.stringMatching(
      /that the client has the password grant; see "Identity providers"/,
    ),
  });
});

test('D-61 doctor names a provider that accepts anybody', async () => {
  class Everybody extends Map<string, Account> {
    override get = (username: string) => ({ username });
  }
  const { issuer, check } = await startProvider(new Everybody());
  expect(await check()).toMatchObject({
    result: 'problem',
    found: `${issuer} accepts a user who does not exist`,
  });
});
