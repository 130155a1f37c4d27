import type { TokenRequest, Tokens } from '@adx/contract';
import { AuthenticationError } from '../errors.js';
import { mayBeRefused, seemsRefused } from './retry-delay.js';

/** The validity of an ID token (§5 rule 1), if it does not contain its own. */
const anHour = 3_600_000;

/**
 * Returns for how many milliseconds a new ID token is valid. Both times are taken from the token,
 * so that the clock of this machine does not matter.
 */
function lifetimeOf(idToken: string): number {
  try {
    const payload = idToken.split('.')[1] ?? '';
    const { exp, iat } = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')));
    return (exp - iat) * 1000 || anHour;
  } catch {
    return anHour;
  }
}

/**
 * The service refuses a user for up to 15 minutes after ten failed sign-ins in 15 minutes (D-23).
 * So the client sends a password at most four times if it may have been refused, and then once in
 * five minutes.
 */
const mostSignIns = 4;
const recovery = 5 * 60_000;

/**
 * Holds the ID token of a user. Concurrent calls that need a new one share a single request.
 *
 * @returns a function that returns an ID token; pass it the token that the service has just
 *   refused, if any
 */
export function createSession(
  signIn: TokenRequest,
  request: (body: TokenRequest, mayRepeat: boolean) => Promise<Tokens>,
  onRefreshToken?: (refreshToken: string) => unknown,
): (refused?: string) => Promise<string> {
  let refresh: TokenRequest | undefined;
  let current: string | undefined;
  let renewAt = 0;
  let renewal: Promise<string> | undefined;
  /**
   * The last ID token that could not be replaced, and the error, for calls that are refused with it
   * later.
   */
  let failure: { idToken: string | undefined; error: unknown } | undefined;

  /** How often the password may be sent now, and when that was counted. */
  let left = mostSignIns;
  let countedAt = 0;
  let refusal: unknown;

  async function tokens(): Promise<Tokens> {
    if (refresh) {
      try {
        return await request(refresh, true);
      } catch (error) {
        // §5 rule 2: if the refresh token has expired, the user signs in again.
        if (!seemsRefused(error)) throw error;
        if (error instanceof AuthenticationError) refresh = undefined;
      }
    }
    return 'password' in signIn ? withPassword() : request(signIn, true);
  }

  async function withPassword(): Promise<Tokens> {
    const now = performance.now();
    left = Math.min(mostSignIns, left + (now - countedAt) / recovery);
    countedAt = now;
    if (left < 1) throw refusal;
    const mayRepeat = left === mostSignIns;
    try {
      const answer = await request(signIn, mayRepeat);
      left = mostSignIns;
      return answer;
    } catch (error) {
      if (mayBeRefused(error)) {
        left -= mayRepeat && !seemsRefused(error) ? mostSignIns : 1;
        refusal = error;
      }
      throw error;
    }
  }

  async function renew(): Promise<string> {
    const { idToken, refreshToken } = await tokens().catch((error: unknown) => {
      failure = { idToken: current, error };
      throw error;
    });
    failure = undefined;
    current = idToken;
    // Early, so that no call is sent with a token that is about to expire.
    renewAt = Date.now() + lifetimeOf(idToken) * 0.95;
    if (refreshToken) {
      refresh = { refreshToken };
      await onRefreshToken?.(refreshToken);
    }
    return idToken;
  }

  return async (refused) => {
    if (refused && refused === failure?.idToken) throw failure.error;
    if (refused === current) renewAt = 0;
    if (current && Date.now() < renewAt) return current;
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };
}
