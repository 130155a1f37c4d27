import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Knex } from 'knex';
import { z } from 'zod';
import { ApiError } from '../api/api-error.js';
import { createKeyRing, createSigningKeyStore, ID_TOKEN_SECONDS } from './signing-keys.js';

const AUDIENCE = 'accounting-data-exchange';

/** The maximum difference between the clocks of processes, in seconds. */
const CLOCK_SKEW_SECONDS = 60;

export interface TokenUser {
  readonly id: string;
  readonly firmId: string;
  /** It changes with the password, which ends the ID tokens of the user (D-20). */
  readonly tokenVersion: number;
}

export interface VerifiedToken extends Omit<TokenUser, 'id'> {
  readonly userId: string;
  /** The partner with whose API keys it works (D-22). */
  readonly partner: string;
  readonly expiresAt: Date;
}

export type TokenService = ReturnType<typeof createTokenService>;

/**
 * Issues and verifies ID tokens: JWTs signed with ES256 and a key from the database.
 *
 * @param options.issuer - the `iss` claim: the address of the service
 */
export function createTokenService(options: {
  readonly knex: Knex;
  readonly issuer: string;
  readonly signingKeySecret: string;
  readonly now?: () => Date;
  readonly monotonicMs?: () => number;
}) {
  const { knex, issuer, signingKeySecret } = options;
  const { now = () => new Date(), monotonicMs = () => performance.now() } = options;
  const keyRing = createKeyRing(createSigningKeyStore(knex, signingKeySecret), monotonicMs);

  return {
    /** Issues a token for 1 hour, for the API keys of the partner (§5 rule 1, D-22). */
    async issue({ id, firmId, tokenVersion }: TokenUser, partner: string): Promise<string> {
      const { kid, privateKey } = await keyRing.signingKey();
      const issuedAt = Math.floor(now().getTime() / 1000);
      return new SignJWT({ firm: firmId, partner, version: tokenVersion })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ID_TOKEN_SECONDS)
        .sign(privateKey);
    },

    /** @throws ApiError `tokenExpired`, or `unauthorized` if it was never valid */
    async verify(token: string): Promise<VerifiedToken> {
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
        // Other errors are not about the token: the database may be unreachable, for example.
        if (error instanceof errors.JOSEError) throw new ApiError('unauthorized');
        throw error;
      }
    },

    /** Returns a JSON Web Key Set, for software that verifies ID tokens itself. */
    async jwks(): Promise<{ keys: readonly object[] }> {
      return { keys: await keyRing.publicKeys() };
    },
  };
}

/** The claims beside those of RFC 7519. */
const ownClaims = z.object({ firm: z.string(), partner: z.string(), version: z.number() });

/** Refuses a token that lives longer than is allowed, or that was issued in the future (D-20). */
function toVerifiedToken(payload: JWTPayload, at: Date): VerifiedToken {
  const { sub, iat, exp } = payload;
  const own = ownClaims.safeParse(payload);
  if (!own.success || sub === undefined || iat === undefined || exp === undefined) {
    throw new ApiError('unauthorized');
  }
  const isOurs = exp - iat <= ID_TOKEN_SECONDS && iat <= at.getTime() / 1000 + CLOCK_SKEW_SECONDS;
  if (!isOurs) throw new ApiError('unauthorized');
  const { firm, partner, version } = own.data;
  const expiresAt = new Date(exp * 1000);
  return { userId: sub, firmId: firm, partner, tokenVersion: version, expiresAt };
}
