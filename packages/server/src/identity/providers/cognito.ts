import { createHmac } from 'node:crypto';
import {
  type AuthFlowType,
  CognitoIdentityProviderClient,
  CognitoIdentityProviderServiceException,
  InitiateAuthCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { z } from 'zod';
import type { ExternalIdentity, ExternalProvider } from './external-provider.js';
import { providerUnavailable, type Refusal, refusedByProvider } from './identity-provider.js';

export interface CognitoSettings {
  readonly region: string;
  readonly userPoolId: string;
  readonly clientId: string;
  /** Undefined for a client without a secret. */
  readonly clientSecret: string | undefined;
  /** Undefined for that of AWS. */
  readonly endpoint: string | undefined;
  /** The claim of the ID token that is the username here. */
  readonly usernameClaim: string;
}

/** How long Cognito may take to answer, in ms. */
const TIMEOUT_MS = 5_000;
/** The maximum difference between the clocks of Cognito and of this process, in seconds. */
const CLOCK_SKEW_SECONDS = 60;

/** The exceptions that are about the user. Others are about the client, the pool or Cognito itself. */
const aboutTheUser = new Set([
  'NotAuthorizedException',
  'PasswordResetRequiredException',
  'UserLambdaValidationException',
  'UserNotConfirmedException',
  'UserNotFoundException',
  // Only cognito-local, for a wrong password.
  'InvalidPasswordException',
]);

/** What is stored as the refresh token: Cognito also needs its own username for the secret hash. */
const storedToken = z.object({ username: z.string(), token: z.string() });

/** Creates the provider of a Cognito user pool. It uses `InitiateAuth`, and verifies every ID token. */
export function createCognitoProvider(settings: CognitoSettings): ExternalProvider {
  const { region, userPoolId, clientId, clientSecret, usernameClaim } = settings;
  const aws = `https://cognito-idp.${region}.amazonaws.com`;
  const { endpoint = aws } = settings;
  const issuer = `${aws}/${userPoolId}`;
  const client = new CognitoIdentityProviderClient({
    ...{ region, endpoint, maxAttempts: 1 },
    requestHandler: {
      connectionTimeout: TIMEOUT_MS,
      requestTimeout: TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: TIMEOUT_MS,
    },
  });
  const keys = createRemoteJWKSet(new URL(`${endpoint}/${userPoolId}/.well-known/jwks.json`), {
    timeoutDuration: TIMEOUT_MS,
  });

  async function verify(idToken: string): Promise<Record<string, unknown>> {
    const { payload } = await jwtVerify(idToken, keys, {
      ...{ issuer, audience: clientId, algorithms: ['RS256'] },
      ...{ clockTolerance: CLOCK_SKEW_SECONDS, requiredClaims: ['exp'] },
    });
    if (payload['token_use'] !== 'id') throw new Error('its ID token is an access token');
    return payload;
  }

  /** @param username - of the user in the pool, or an alias of it */
  async function initiate(
    flow: AuthFlowType,
    username: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<ExternalIdentity | Refusal> {
    const secretHash = clientSecret && {
      SECRET_HASH: createHmac('sha256', clientSecret)
        .update(username + clientId)
        .digest('base64'),
    };
    const command = new InitiateAuthCommand({
      AuthFlow: flow,
      ClientId: clientId,
      AuthParameters: { ...parameters, ...secretHash },
    });
    try {
      const { ChallengeName, AuthenticationResult: result } = await client.send(command);
      // A second factor, or a first password that has to be changed.
      if (ChallengeName !== undefined) return refusedByProvider(ChallengeName);
      const claims = await verify(result?.IdToken ?? '');
      const own = z.string().min(1).parse(claims['cognito:username']);
      return {
        accepted: true,
        username: z.string().min(1).parse(claims[usernameClaim]),
        ...(result?.RefreshToken !== undefined && {
          refreshToken: JSON.stringify({ username: own, token: result.RefreshToken }),
        }),
      };
    } catch (error) {
      if (isAboutTheUser(error)) return refusedByProvider(error.message);
      throw providerUnavailable(error instanceof Error ? error.message : String(error));
    }
  }

  return {
    name: `cognito ${userPoolId}`,
    signIn: (username, password) =>
      initiate('USER_PASSWORD_AUTH', username, { USERNAME: username, PASSWORD: password }),
    refresh(refreshToken) {
      const { username, token } = storedToken.parse(JSON.parse(refreshToken));
      return initiate('REFRESH_TOKEN_AUTH', username, { REFRESH_TOKEN: token });
    },
  };
}

function isAboutTheUser(error: unknown): error is CognitoIdentityProviderServiceException {
  if (!(error instanceof CognitoIdentityProviderServiceException)) return false;
  // A wrong client secret has the same exception as a wrong password.
  return aboutTheUser.has(error.name) && !/secret[ _]hash/i.test(error.message);
}
