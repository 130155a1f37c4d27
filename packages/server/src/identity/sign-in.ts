import { RateLimiterMemory } from 'rate-limiter-flexible';
import { requirePoints } from '../api/rate-limit.js';
import { createTurns } from '../api/turns.js';
import type { ApiKey } from './api-keys.js';
import { decodePassword } from './passwords.js';
import {
  authenticationFailed,
  type IdentityProvider,
  type Refusal,
} from './providers/identity-provider.js';
import type { RefreshTokenStore } from './refresh-tokens.js';
import type { TokenService } from './tokens.js';
import type { UserStore } from './users.js';

type SignInResult =
  | { readonly accepted: true; readonly tokens: { idToken: string; refreshToken?: string } }
  | Refusal;

/** Signs users in with an identity provider, and gives them our own tokens (§4.1, D-56). */
export function createSignIn(options: {
  readonly provider: IdentityProvider;
  readonly users: UserStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly tokens: TokenService;
  readonly limit: SignInLimit;
}) {
  const { provider, users, refreshTokens, tokens, limit } = options;
  async function check(apiKey: ApiKey, username: string, password: string): Promise<SignInResult> {
    const answer = await provider.signIn(username, password);
    if (!answer.accepted) return answer;
    const refreshToken = await refreshTokens.issue(answer.user, apiKey.partner, {
      name: provider.name,
      refreshToken: answer.refreshToken,
    });
    if (refreshToken === undefined) return authenticationFailed('user changed during the sign-in');
    const idToken = await tokens.issue(answer.user, apiKey.partner);
    return { accepted: true, tokens: { idToken, refreshToken } };
  }

  return {
    /** @throws ApiError `tooManyRequests` after too many failures, `unavailable` */
    async withPassword(
      apiKey: ApiKey,
      username: string,
      encodedPassword: string,
    ): Promise<SignInResult> {
      const password = decodePassword(encodedPassword);
      if (password === undefined) return authenticationFailed('password not Base64-encoded');
      // This is folded as in the lookup, so that other spellings do not get a new count.
      const folded = await users.foldUsername(username);
      return limit(`${apiKey.id} ${folded}`, () => check(apiKey, username, password));
    },

    /**
     * Issues an ID token. The refresh token stays valid (§5 rule 2).
     *
     * @throws ApiError `unavailable`
     */
    async withRefreshToken(apiKey: ApiKey, refreshToken: string): Promise<SignInResult> {
      const found = await refreshTokens.refresh(refreshToken, apiKey.partner, provider);
      if (!found.accepted) return found;
      const idToken = await tokens.issue(found.user, apiKey.partner);
      return { accepted: true, tokens: { idToken } };
    },
  };
}

/** @throws ApiError `tooManyRequests` if too many attempts with the same key have failed */
export type SignInLimit = <Result extends { readonly accepted: boolean }>(
  key: string,
  attempt: () => Promise<Result>,
) => Promise<Result>;

/**
 * Limits failed sign-ins (D-23): after `failures` within `windowSeconds`, all attempts are refused
 * until the window ends. A successful one resets the count.
 *
 * Attempts with the same key run one at a time, so a burst of guesses cannot exceed the limit, and
 * a user who signs in from many places at once is not refused. Each process counts by itself.
 */
export function createSignInLimit({ failures = 10, windowSeconds = 900 } = {}): SignInLimit {
  const limiter = new RateLimiterMemory({
    keyPrefix: 'failedSignIns',
    points: failures,
    duration: windowSeconds,
  });
  const inTurn = createTurns();

  return (key, attempt) =>
    inTurn(key, async () => {
      await requirePoints(limiter, key);
      const result = await attempt();
      if (result.accepted) await limiter.delete(key);
      else await limiter.penalty(key);
      return result;
    });
}
