import type { TokenRequest, Tokens } from '@adx/contract';
import { AuthenticationError } from '../errors.js';

/** The validity of an ID token (§5 rule 1), if it does not contain its own. */
const anHour = 3_600_000;

/**
 * Returns for how many milliseconds a new ID token is valid. Both times are taken from the token, so
 * that the clock of this machine does not matter.
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
 * Holds the ID token of a user. Concurrent calls that need a new one share a single request.
 *
 * @returns a function that returns an ID token; pass it the token that the service has just refused,
 *   if any
 */
export function createSession(
  signIn: TokenRequest,
  request: (body: TokenRequest) => Promise<Tokens>,
  onRefreshToken?: (refreshToken: string) => unknown,
): (refused?: string) => Promise<string> {
  let refresh: TokenRequest | undefined;
  let current: string | undefined;
  let renewAt = 0;
  let renewal: Promise<string> | undefined;
  /** The last ID token that could not be replaced, and the error, for calls that are refused with it later. */
  let failure: { idToken: string | undefined; error: unknown } | undefined;

  async function tokens(): Promise<Tokens> {
    if (refresh) {
      try {
        return await request(refresh);
      } catch (error) {
        // §5 rule 2: if the refresh token has expired, the user signs in again.
        if (!(error instanceof AuthenticationError)) throw error;
        refresh = undefined;
      }
    }
    return request(signIn);
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
