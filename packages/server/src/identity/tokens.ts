import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import { ID_TOKEN_SECONDS } from './lifetimes.js';
import { createKeyRing, createSigningKeyStore } from './signing-keys.js';

const AUDIENCE = 'accounting-data-exchange';

/** How far the clocks of processes may be apart, in seconds. */
const CLOCK_SKEW_SECONDS = 60;

/** Whom an ID token is about, and until when. */
export interface VerifiedToken {
  readonly userId: string;
  readonly firmId: string;
  readonly expiresAt: Date;
}

export interface TokenService {
  /** A new ID token for the user, valid for 1 hour (§5 rule 1). */
  issue(user: { readonly id: string; readonly firmId: string }): Promise<string>;
  /**
   * Whom the token is about.
   *
   * @throws ApiError `tokenExpired` when it was valid until it expired, `unauthorized` otherwise
   */
  verify(token: string): Promise<VerifiedToken>;
  /** The public keys as a JSON Web Key Set, for those who verify ID tokens themselves. */
  jwks(): Promise<{ keys: readonly object[] }>;
}

export interface TokenServiceOptions {
  readonly knex: Knex;
  /** The `iss` claim: the address of the service. */
  readonly issuer: string;
  readonly now?: () => Date;
}

/** Makes and verifies ID tokens: JWTs signed with ES256 by a key kept in the database. */
export function createTokenService(options: TokenServiceOptions): TokenService {
  const { knex, issuer, now = () => new Date() } = options;
  const keyRing = createKeyRing(createSigningKeyStore(knex, now), now);

  return {
    async issue(user) {
      const { kid, privateKey } = await keyRing.signingKey();
      const issuedAt = Math.floor(now().getTime() / 1000);
      return new SignJWT({ firm: user.firmId })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(user.id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ID_TOKEN_SECONDS)
        .sign(privateKey);
    },

    async verify(token) {
      try {
        const { payload } = await jwtVerify(
          token,
          async ({ kid = '' }) => {
            const key = await keyRing.verificationKey(kid);
            if (key === undefined) throw new errors.JWKSNoMatchingKey();
            return key;
          },
          { issuer, audience: AUDIENCE, algorithms: ['ES256'], typ: 'JWT', currentDate: now() },
        );
        return toVerifiedToken(payload, now());
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new ApiError('tokenExpired');
        // Anything else that is not about the token, such as a lost database, is not the caller's.
        if (error instanceof errors.JOSEError) throw new ApiError('unauthorized');
        throw error;
      }
    },

    async jwks() {
      return { keys: await keyRing.publicKeys() };
    },
  };
}

/** A token that is longer valid than the service makes them, or made later than now, is not of it (D-20). */
function toVerifiedToken({ sub, firm, iat, exp }: JWTPayload, at: Date): VerifiedToken {
  const complete =
    sub !== undefined && typeof firm === 'string' && iat !== undefined && exp !== undefined;
  if (!complete) throw new ApiError('unauthorized');
  const isOurs = exp - iat <= ID_TOKEN_SECONDS && iat <= at.getTime() / 1000 + CLOCK_SKEW_SECONDS;
  if (!isOurs) throw new ApiError('unauthorized');
  return {
    userId: sub,
    firmId: firm,
    expiresAt: new Date(exp * 1000),
  };
}
