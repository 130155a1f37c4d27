import type { Handlers } from '../generated/handlers.gen.js';
import type { RefreshTokenStore } from './refresh-tokens.js';
import type { ApiKeyContext, UserContext } from './request-context.js';
import { createSignIn, createSignInLimit, type SignInLimit } from './sign-in.js';
import type { TokenService } from './tokens.js';
import type { UserStore } from './users.js';

/** The same for all reasons within, so that nobody learns which users exist (D-20). */
const messages = {
  'Authentication failed':
    'The username or password is wrong, or the password is not encoded in Base64.',
  'Invalid refresh token': 'The refresh token is not valid; sign in again.',
} as const;

/** Operations 1 and 2 (§4.1, §4.2). */
export function createIdentityHandlers(options: {
  readonly users: UserStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly tokens: TokenService;
  readonly limit?: SignInLimit;
}): Pick<Handlers<UserContext, ApiKeyContext>, 'getToken' | 'helloWorld'> {
  const signIn = createSignIn({ limit: createSignInLimit(), ...options });

  return {
    async getToken({ body }, { apiKey, requestId, log }) {
      const result =
        'refreshToken' in body
          ? await signIn.withRefreshToken(apiKey, body.refreshToken)
          : await signIn.withPassword(apiKey, body.username, body.password);
      if (result.accepted) return { status: 200, body: result.tokens };
      log.info({ partner: apiKey.partner, cause: result.cause }, 'sign-in refused');
      return {
        status: 500,
        body: {
          error: result.reason,
          message: messages[result.reason],
          requestId,
        },
      };
    },

    helloWorld() {
      const message = 'Hello world. The API key and the ID token are accepted.';
      return { status: 200, body: { message } };
    },
  };
}
