import { randomUUID } from 'node:crypto';
import { type Check, ok, problem } from '@adx/command/check';
import { boundedFetch } from '../../identity/providers/bounded-fetch.js';
import type { CognitoSettings } from '../../identity/providers/cognito.js';
import {
  CognitoError,
  createCognitoApi,
  isAboutTheUser,
} from '../../identity/providers/cognito-api.js';
import { describeFailure } from '../../identity/providers/identity-provider.js';
import {
  createOpenIdProvider,
  type OpenIdSettings,
} from '../../identity/providers/openid-connect.js';
import type { ProviderSettings } from '../../identity/providers/provider-settings.js';

const NAME = 'identity provider';

/** Signs in as a user who does not exist, whom the provider has to refuse (D-56). */
export async function checkProvider(settings: ProviderSettings): Promise<Check> {
  if (settings.kind === 'built-in') return ok(NAME, 'built-in');
  return settings.kind === 'oidc' ? checkOpenId(settings) : checkCognito(settings);
}

async function checkOpenId(settings: OpenIdSettings): Promise<Check> {
  const { issuer } = settings;
  try {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const named = Object(await fetchJson(url)).issuer;
    if (named !== issuer) {
      const advice = 'Set OIDC_ISSUER exactly to the issuer of the metadata of the provider.';
      return problem(NAME, `the metadata is that of ${named}`, advice);
    }
  } catch (error) {
    const found = `${issuer} gives no metadata: ${describeFailure(error)}`;
    return problem(NAME, found, 'Check OIDC_ISSUER, and the network to the provider.');
  }
  try {
    const { accepted } = await createOpenIdProvider(settings).signIn(...nobody());
    return accepted ? acceptsAnybody(issuer) : ok(NAME, issuer);
  } catch (error) {
    const advice =
      'Check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_SCOPE, and that the client has the password grant; see "Identity providers" in "Running in production".';
    return problem(NAME, describeFailure(error), advice);
  }
}

async function checkCognito(settings: CognitoSettings): Promise<Check> {
  const { endpoint, userPoolId, issuer } = settings;
  try {
    const { keys } = Object(await fetchJson(`${endpoint}/${userPoolId}/.well-known/jwks.json`));
    if (!Array.isArray(keys)) {
      const found = `${endpoint} has no keys of ${userPoolId}`;
      return problem(NAME, found, 'Check COGNITO_USER_POOL_ID.');
    }
    const answer = await createCognitoApi(settings).signIn(...nobody());
    return 'AuthenticationResult' in answer ? acceptsAnybody(issuer) : ok(NAME, issuer);
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

function acceptsAnybody(issuer: string): Check {
  const found = `${issuer} accepts a user who does not exist`;
  return problem(NAME, found, 'Do not use it until it checks passwords.');
}

function nobody(): [username: string, password: string] {
  return [`adx-doctor-${randomUUID()}`, randomUUID()];
}

async function fetchJson(url: string): Promise<unknown> {
  const signal = AbortSignal.timeout(10_000);
  return (await boundedFetch(url, { method: 'GET', signal })).json();
}
