import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Knex } from 'knex';
import { ApiError } from '../api/api-error.js';
import { createKeyRing, createSigningKeyStore, ID_TOKEN_SECONDS } from './signing-keys.js';

const AUDIENCE = 'accounting-data-exchange';

/** The maximum difference between the clocks of processes, in seconds. */
const CLOCK_SKEW_SECONDS = 60;

/** The claims of a valid ID token. */
interface VerifiedToken {
  readonly userId: string;
  readonly firmId: string;
  readonly expiresAt: Date;
}

export type TokenService = ReturnType<typeof createTokenService>;

/**
 * Creates the service that issues and verifies ID tokens: JWTs signed with ES256 and a key from the
 * database.
 *
 * @param options.issuer - the `iss` claim: the address of the service
 */
export function createTokenService(options: {
  readonly knex: Knex;
  readonly issuer: string;
  readonly now?: () => Date;
  readonly monotonicMs?: () => number;
}) {
  const { knex, issuer } = options;
  const { now = () => new Date(), monotonicMs = () => performance.now() } = options;
  const keyRing = createKeyRing(createSigningKeyStore(knex), monotonicMs);

  return {
    /** Returns a new ID token, valid for 1 hour (§5 rule 1). */
    async issue(user: { readonly id: string; readonly firmId: string }): Promise<string> {
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

    /** @throws ApiError `tokenExpired` if the token has expired, `unauthorized` if it was never valid */
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

    /** Returns the public keys as a JSON Web Key Set, for software that verifies ID tokens itself. */
    async jwks(): Promise<{ keys: readonly object[] }> {
      return { keys: await keyRing.publicKeys() };
    },
  };
}

/** Refuses a token with a longer lifetime than the service gives, or issued in the future (D-20). */
function toVerifiedToken({ sub, firm, iat, exp }: JWTPayload, at: Date): VerifiedToken {
  const complete =
    sub !== undefined && typeof firm === 'string' && iat !== undefined && exp !== undefined;
  if (!complete) throw new ApiError('unauthorized');
  const isOurs = exp - iat <= ID_TOKEN_SECONDS && iat <= at.getTime() / 1000 + CLOCK_SKEW_SECONDS;
  if (!isOurs) throw new ApiError('unauthorized');
  return { userId: sub, firmId: firm, expiresAt: new Date(exp * 1000) };
}
