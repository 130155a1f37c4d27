import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import { boundedFetch, PROVIDER_TIMEOUT_SECONDS } from './bounded-fetch.js';
import {
  type CognitoClient,
  CognitoError,
  createCognitoApi,
  isAboutTheUser,
} from './cognito-api.js';
import type { ExternalIdentity, ExternalProvider } from './external-provider.js';
import {
  authenticationFailed,
  CLOCK_SKEW_SECONDS,
  describeFailure,
  providerUnavailable,
  type Refusal,
  refusedByProvider,
} from './identity-provider.js';

export interface CognitoSettings extends CognitoClient {
  readonly userPoolId: string;
  readonly issuer: string;
  /** True if the app client rotates refresh tokens. */
  readonly rotatesTokens: boolean;
  /** The claim of the ID token that is the username here. */
  readonly usernameClaim: string;
}

/** The stored refresh token. With a client secret, Cognito needs its own username too. */
const storedToken = z.object({ username: z.string(), token: z.string() });

/** Usernames that Cognito accepts: anything else would be a failure instead of a refusal. */
const possibleUsername = /^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u;
const MAX_PASSWORD_LENGTH = 256;

/**
 * Verifies signature, issuer, audience, use and times of every ID token. It asks Cognito nothing
 * before the first sign-in.
 */
export function createCognitoProvider(settings: CognitoSettings): ExternalProvider {
  const { endpoint, userPoolId, clientId, issuer, rotatesTokens, usernameClaim } = settings;
  const api = createCognitoApi(settings);
  const fetchKeys = () =>
    createRemoteJWKSet(new URL(`${endpoint}/${userPoolId}/.well-known/jwks.json`), {
      timeoutDuration: PROVIDER_TIMEOUT_SECONDS * 1000,
      [customFetch]: boundedFetch,
    });
  /** The keys of the pool, which are fetched again after a failure. */
  let keys = fetchKeys();

  async function verify(idToken: string): Promise<JWTPayload> {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer,
      audience: clientId,
      algorithms: ['RS256'],
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ['exp'],
    });
    if (payload['token_use'] !== 'id') throw new Error('its ID token is another kind of token');
    return payload;
  }

  async function toIdentity(
    asked: ReturnType<typeof api.signIn>,
  ): Promise<ExternalIdentity | Refusal> {
    try {
      const answer = await asked;
      if ('ChallengeName' in answer) {
        // A second factor, or a first password that has to be changed.
        return refusedByProvider(`Cognito asks for another step first: ${answer.ChallengeName}`);
      }
      const { IdToken, RefreshToken: token } = answer.AuthenticationResult;
      const claims = await verify(IdToken);
      const username = z.string().min(1).parse(claims['cognito:username']);
      const refreshToken = token && JSON.stringify({ username, token });
      return { accepted: true, claims, ...(refreshToken && { refreshToken }) };
    } catch (error) {
      if (isAboutTheUser(error)) return refusedByProvider(error.message || error.type);
      keys = fetchKeys();
      throw providerUnavailable(
        error instanceof CognitoError
          ? `${endpoint} answered ${error.status} ${error.type}`
          : describeFailure(error),
      );
    }
  }

  return {
    // The claim is part of it: by another one, the username would be that of somebody else.
    name: `cognito ${issuer} ${usernameClaim}`,
    issuer,
    usernameClaim,

    async signIn(username, password) {
      if (!possibleUsername.test(username) || password.length > MAX_PASSWORD_LENGTH) {
        return authenticationFailed('no username or password that Cognito can have');
      }
      return toIdentity(api.signIn(username, password));
    },

    async refresh(refreshToken) {
      const { username, token } = storedToken.parse(JSON.parse(refreshToken));
      return toIdentity(rotatesTokens ? api.rotate(token) : api.refresh(username, token));
    },
  };
}
