import type { Handlers } from '../generated/handlers.gen.js';
import type { ApiKeyContext, UserContext } from '../identity/request-context.js';
import type { RefreshTokenStore } from './refresh-tokens.js';
import { createSignIn, createSignInLimit, type SignInLimit } from './sign-in.js';
import type { TokenService } from './tokens.js';
import type { UserStore } from './users.js';

export interface IdentityHandlersOptions {
  readonly users: UserStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly tokens: TokenService;
  readonly signInLimit?: SignInLimit;
}

export type IdentityHandlers = Pick<
  Handlers<UserContext, ApiKeyContext>,
  'getToken' | 'helloWorld'
>;

/** Get or refresh token (§4.1) and Hello world (§4.2). */
export function createIdentityHandlers(options: IdentityHandlersOptions): IdentityHandlers {
  const { users, refreshTokens, tokens, signInLimit = createSignInLimit() } = options;
  const signIn = createSignIn({ users, refreshTokens, tokens, limit: signInLimit });

  return {
    async getToken({ body }, { apiKey, requestId, log }) {
      const result =
        'refreshToken' in body
          ? await signIn.withRefreshToken(apiKey, body.refreshToken)
          : await signIn.withPassword(apiKey, body.username, body.password);
      if (result.accepted) {
        const { accepted: _, ...tokens } = result;
        return { status: 200, body: tokens };
      }
      log.info({ partner: apiKey.partner, cause: result.cause }, 'sign-in refused');
      return {
        status: 500,
        body: {
          error: result.reason,
          message: 'The identity provider refused the credentials.',
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
