import { randomUUID } from 'node:crypto';
import { boundedFetch } from '../../identity/providers/bounded-fetch.js';
import type { CognitoSettings } from '../../identity/providers/cognito.js';
import {
  CognitoError,
  createCognitoApi,
  isAboutTheUser,
} from '../../identity/providers/cognito-api.js';
import { describeFailure } from '../../identity/providers/identity-provider.js';
import type { ProviderSettings } from '../../identity/providers/provider-settings.js';
import { type Check, ok, problem } from './check.js';

const NAME = 'identity provider';

/** Checks that the identity provider answers, and that it is that of the settings (D-56). */
export async function checkProvider(settings: ProviderSettings): Promise<Check> {
  if (settings.kind === 'built-in') return ok(NAME, 'built-in');
  return settings.kind === 'oidc' ? checkIssuer(settings.issuer) : checkCognito(settings);
}

async function checkIssuer(issuer: string): Promise<Check> {
  try {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const named = Object(await fetchJson(url)).issuer;
    if (named === issuer) return ok(NAME, issuer);
    const advice = 'Set OIDC_ISSUER exactly to the issuer of the metadata of the provider.';
    return problem(NAME, `the metadata is that of ${named}`, advice);
  } catch (error) {
    const found = `${issuer} gives no metadata: ${describeFailure(error)}`;
    return problem(NAME, found, 'Check OIDC_ISSUER, and the network to the provider.');
  }
}

/** Gets the keys of the pool, and signs in as a user who does not exist, which must be the only mistake. */
async function checkCognito(settings: CognitoSettings): Promise<Check> {
  const { endpoint, userPoolId, issuer } = settings;
  try {
    const { keys } = Object(await fetchJson(`${endpoint}/${userPoolId}/.well-known/jwks.json`));
    if (!Array.isArray(keys)) {
      const found = `${endpoint} has no keys of ${userPoolId}`;
      return problem(NAME, found, 'Check COGNITO_USER_POOL_ID.');
    }
    await createCognitoApi(settings).signIn(`adx-doctor-${randomUUID()}`, randomUUID());
    return ok(NAME, issuer);
  } catch (error) {
    if (isAboutTheUser(error)) return ok(NAME, issuer);
    if (!(error instanceof CognitoError)) {
      const found = `${endpoint} does not answer as Cognito: ${describeFailure(error)}`;
      return problem(NAME, found, 'Check COGNITO_USER_POOL_ID, and the network to Cognito.');
    }
    const advice =
      'Check COGNITO_CLIENT_ID, COGNITO_CLIENT_SECRET and the flows of the app client; see "Cognito" in "Running in production".';
    return problem(NAME, `${error.type}: ${error.message}`, advice);
  }
}

async function fetchJson(url: string): Promise<unknown> {
  const signal = AbortSignal.timeout(10_000);
  return (await boundedFetch(url, { method: 'GET', signal })).json();
}
