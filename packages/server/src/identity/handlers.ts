import type { Handlers } from '../generated/handlers.gen.js';
import { createBuiltInProvider } from './providers/built-in-provider.js';
import type { IdentityProvider } from './providers/identity-provider.js';
import type { RefreshTokenStore } from './refresh-tokens.js';
import type { ApiKeyContext, UserContext } from './request-context.js';
import { createSignIn, createSignInLimit, type SignInLimit } from './sign-in.js';
import type { TokenService } from './tokens.js';
import type { UserStore } from './users.js';

/** Operations 1 and 2 (§4.1, §4.2). */
export function createIdentityHandlers(options: {
  readonly users: UserStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly tokens: TokenService;
  readonly limit?: SignInLimit;
  readonly provider?: IdentityProvider;
}): Pick<Handlers<UserContext, ApiKeyContext>, 'getToken' | 'helloWorld'> {
  const provider = createBuiltInProvider(options.users);
  const signIn = createSignIn({ limit: createSignInLimit(), provider, ...options });

  return {
    async getToken({ body }, { apiKey, requestId, log }) {
      const result =
        'refreshToken' in body
          ? await signIn.withRefreshToken(apiKey, body.refreshToken)
          : await signIn.withPassword(apiKey, body.username, body.password);
      if (result.accepted) return { status: 200, body: result.tokens };
      const { cause, boundUserId, disabledUser, reason: error, message } = result;
      const { id: userId, firmId } = disabledUser ?? {};
      if (boundUserId === undefined)
        log.info({ partner: apiKey.partner, cause, firmId, userId }, 'sign-in refused');
      else {
        const refused = { partner: apiKey.partner, cause, code: 'otherAccount', boundUserId };
        log.warn(refused, 'sign-in refused: another account of the identity provider');
      }
      return { status: 500, body: { error, message, requestId } };
    },

    helloWorld() {
      const message = 'Hello world. The API key and the ID token are accepted.';
      return { status: 200, body: { message } };
    },
  };
}
