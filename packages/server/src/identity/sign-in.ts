import { RateLimiterMemory } from 'rate-limiter-flexible';
import { tooManyRequests } from '../api/rate-limit.js';
import type { ApiKey } from './api-keys.js';
import { decodePassword, verifyPassword } from './passwords.js';
import type { RefreshTokenStore } from './refresh-tokens.js';
import type { TokenService } from './tokens.js';
import type { UserStore } from './users.js';

/** The reasons of the identity provider, as they stand in `error` (§7). */
type RefusalReason = 'Authentication failed' | 'Invalid refresh token';

/** Tokens, or why there are none. */
type SignInResult =
  | { readonly accepted: true; readonly idToken: string; readonly refreshToken?: string }
  | {
      readonly accepted: false;
      readonly reason: RefusalReason;
      /** For the log of the operator only: the caller is not told which it was. */
      readonly cause: string;
    };

interface SignInOptions {
  readonly users: Pick<UserStore, 'findCredentials' | 'foldUsername'>;
  readonly refreshTokens: RefreshTokenStore;
  readonly tokens: Pick<TokenService, 'issue'>;
  readonly limit: SignInLimit;
}

interface SignIn {
  /**
   * Signs in with the username and the Base64-encoded password (§4.1).
   *
   * @throws ApiError `tooManyRequests` after too many failures
   */
  withPassword(apiKey: ApiKey, username: string, encodedPassword: string): Promise<SignInResult>;
  /** A new ID token; the refresh token stays in use (§5 rule 2). */
  withRefreshToken(apiKey: ApiKey, refreshToken: string): Promise<SignInResult>;
}

/** The built-in identity provider. */
export function createSignIn({ users, refreshTokens, tokens, limit }: SignInOptions): SignIn {
  async function check(apiKey: ApiKey, username: string, password: string): Promise<SignInResult> {
    const user = await users.findCredentials(username);
    // Before anything about the user is looked at, so that every failure takes as long (D-20).
    const isRight = await verifyPassword(user?.passwordHash, password);
    if (user === undefined) return authenticationFailed('unknown user');
    if (!isRight) return authenticationFailed('wrong password');
    if (user.isDisabled) return authenticationFailed('disabled user');
    const refreshToken = await refreshTokens.issue(user.id, apiKey.partner, user.passwordHash);
    if (refreshToken === undefined) return authenticationFailed('user changed during the sign-in');
    return { accepted: true, idToken: await tokens.issue(user), refreshToken };
  }

  return {
    async withPassword(apiKey, username, encodedPassword) {
      const password = decodePassword(encodedPassword);
      if (password === undefined) return authenticationFailed('password not Base64-encoded');
      // Folded as the look-up folds it: another spelling of a user is no fresh count of guesses.
      const folded = await users.foldUsername(username);
      return limit(`${apiKey.id} ${folded}`, () => check(apiKey, username, password));
    },

    async withRefreshToken(apiKey, refreshToken) {
      const user = await refreshTokens.findUser(refreshToken, apiKey.partner);
      if (user === undefined) {
        return { accepted: false, reason: 'Invalid refresh token', cause: 'no such refresh token' };
      }
      return { accepted: true, idToken: await tokens.issue(user) };
    },
  };
}

function authenticationFailed(cause: string): SignInResult {
  return { accepted: false, reason: 'Authentication failed', cause };
}

/**
 * Runs a sign-in unless too many under the same key failed before it.
 *
 * @throws ApiError `tooManyRequests`
 */
export type SignInLimit = <Result extends { readonly accepted: boolean }>(
  key: string,
  attempt: () => Promise<Result>,
) => Promise<Result>;

/**
 * Limits failed sign-ins: after `failures` within `windowSeconds` no further one is tried until the
 * window ends. A success starts anew.
 *
 * Attempts under one key run one after another, so that a burst of guesses cannot overtake the
 * count while one user signing in from many places at once is not mistaken for an attack. The count
 * is kept by each process for itself: with several replicas a guesser has it once per replica.
 */
export function createSignInLimit({ failures = 10, windowSeconds = 900 } = {}): SignInLimit {
  const limiter = new RateLimiterMemory({ points: failures, duration: windowSeconds });
  const turns = new Map<string, Promise<unknown>>();

  async function run<Result extends { readonly accepted: boolean }>(
    key: string,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    const failed = await limiter.get(key);
    if (failed !== null && failed.remainingPoints <= 0 && failed.msBeforeNext > 0) {
      throw tooManyRequests(failures, failed.msBeforeNext);
    }
    const result = await attempt();
    if (result.accepted) await limiter.delete(key);
    else await limiter.penalty(key);
    return result;
  }

  return (key, attempt) => {
    const before = turns.get(key) ?? Promise.resolve();
    const turn = before.then(
      () => run(key, attempt),
      () => run(key, attempt),
    );
    turns.set(key, turn);
    const leave = () => {
      if (turns.get(key) === turn) turns.delete(key);
    };
    turn.then(leave, leave);
    return turn;
  };
}
