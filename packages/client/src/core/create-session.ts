import type { TokenRequest, Tokens } from '@adx/contract';
import { AuthenticationError } from '../errors.js';
import { lifetimeOf } from './id-token.js';

/**
 * Keeps the ID token of one user, and obtains it once for all calls that need it at a time.
 *
 * @returns what gives an ID token to call with; it is told the one that the service has just
 *   refused, if any
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
  /** Why an ID token was not replaced, for calls under way that learn later that it is refused. */
  let failure: { idToken: string | undefined; error: unknown } | undefined;

  async function tokens(): Promise<Tokens> {
    if (refresh) {
      try {
        return await request(refresh);
      } catch (error) {
        // §5 rule 2: when the refresh token has expired, the login is repeated.
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
    // Early, so that no call sets off with a token about to expire.
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
