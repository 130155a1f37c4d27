import { RateLimiterMemory } from 'rate-limiter-flexible';
import { requirePoints } from '../api/rate-limit.js';
import type { ApiKey } from './api-keys.js';
import { decodePassword, verifyPassword } from './passwords.js';
import type { RefreshTokenStore } from './refresh-tokens.js';
import type { TokenService } from './tokens.js';
import type { UserStore } from './users.js';

type SignInResult =
  | { readonly accepted: true; readonly tokens: { idToken: string; refreshToken?: string } }
  | {
      readonly accepted: false;
      /** The `error` of the response (§7). */
      readonly reason: 'Authentication failed' | 'Invalid refresh token';
      /** Only logged; callers never see it. */
      readonly cause: string;
    };

/** Creates the built-in identity provider. */
export function createSignIn(options: {
  readonly users: UserStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly tokens: TokenService;
  readonly limit: SignInLimit;
}) {
  const { users, refreshTokens, tokens, limit } = options;
  async function check(apiKey: ApiKey, username: string, password: string): Promise<SignInResult> {
    const user = await users.findCredentials(username);
    // Verified before the user is checked, so that every failure takes the same time (D-20).
    const isCorrect = await verifyPassword(user?.passwordHash, password);
    if (user === undefined) return authenticationFailed('unknown user');
    if (!isCorrect) return authenticationFailed('wrong password');
    if (user.isDisabled) return authenticationFailed('disabled user');
    const refreshToken = await refreshTokens.issue(user.id, apiKey.partner, user.passwordHash);
    if (refreshToken === undefined) return authenticationFailed('user changed during the sign-in');
    const idToken = await tokens.issue(user, apiKey.partner);
    return { accepted: true, tokens: { idToken, refreshToken } };
  }

  return {
    /**
     * Signs in with the username and the Base64-encoded password (§4.1).
     *
     * @throws ApiError `tooManyRequests` after too many failures
     */
    async withPassword(
      apiKey: ApiKey,
      username: string,
      encodedPassword: string,
    ): Promise<SignInResult> {
      const password = decodePassword(encodedPassword);
      if (password === undefined) return authenticationFailed('password not Base64-encoded');
      // In the same lower case as the lookup, so that other spellings of a username do not get a new count.
      const folded = await users.foldUsername(username);
      return limit(`${apiKey.id} ${folded}`, () => check(apiKey, username, password));
    },

    /** Issues a new ID token. The refresh token stays valid (§5 rule 2). */
    async withRefreshToken(apiKey: ApiKey, refreshToken: string): Promise<SignInResult> {
      const user = await refreshTokens.findUser(refreshToken, apiKey.partner);
      if (user === undefined) {
        return { accepted: false, reason: 'Invalid refresh token', cause: 'no such refresh token' };
      }
      const idToken = await tokens.issue(user, apiKey.partner);
      return { accepted: true, tokens: { idToken } };
    },
  };
}

function authenticationFailed(cause: string): SignInResult {
  return { accepted: false, reason: 'Authentication failed', cause };
}

/**
 * Attempts to sign in, unless too many attempts with the same key have failed.
 *
 * @throws ApiError `tooManyRequests`
 */
export type SignInLimit = <Result extends { readonly accepted: boolean }>(
  key: string,
  attempt: () => Promise<Result>,
) => Promise<Result>;

/**
 * Limits failed sign-ins (D-23): after `failures` within `windowSeconds`, all attempts are refused until the
 * window ends. A successful one resets the count.
 *
 * Attempts with the same key run one at a time. So a burst of guesses cannot exceed the limit, and a
 * user who signs in from many places at once is not refused. Each process counts by itself, so with
 * several processes the limit applies once per process.
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

/**
 * Returns a function that runs attempts with the same key one at a time (a keyed mutex), so that a
 * burst of them cannot exceed a limit that counts only failures.
 */
function createTurns() {
  /** The last attempt of each key that has not ended. */
  const pending = new Map<string, Promise<unknown>>();
  return <Result>(key: string, attempt: () => Promise<Result>): Promise<Result> => {
    const previous = pending.get(key) ?? Promise.resolve();
    const next = previous.catch(() => {}).then(attempt);
    pending.set(key, next);
    const remove = () => {
      if (pending.get(key) === next) pending.delete(key);
    };
    next.then(remove, remove);
    return next;
  };
}
