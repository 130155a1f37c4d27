import { ApiError } from '../api/api-error.js';
import type { ApiKey, ApiKeyStore } from './api-keys.js';
import { createCredentialCache } from './credential-cache.js';
import type { Principal } from './principal.js';
import type { TokenService } from './tokens.js';
import type { UserStore } from './users.js';

export interface Authenticator {
  /**
   * The API key of an `x-api-key` header.
   *
   * @throws ApiError `invalidApiKey`
   */
  apiKey(header: string | undefined): Promise<ApiKey>;
  /**
   * The user of an `Authorization` header.
   *
   * @throws ApiError `unauthorized`, `tokenExpired`, `portalOnly` (§5 rule 4)
   */
  principal(header: string | undefined): Promise<Principal>;
}

export interface AuthenticatorOptions {
  readonly apiKeys: Pick<ApiKeyStore, 'verify'>;
  readonly tokens: Pick<TokenService, 'verify'>;
  readonly users: Pick<UserStore, 'findAccess'>;
  /**
   * How long an accepted credential is not looked at again, in seconds: a revoked key, a disabled
   * user, a changed access level or assignment count after this at the latest. 0 keeps nothing.
   */
  readonly cacheSeconds?: number;
  readonly now?: () => Date;
}

/** Turns the two headers of section 5 into who calls. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { apiKeys, tokens, users, cacheSeconds = 5, now = () => new Date() } = options;
  const knownKeys = createCredentialCache<ApiKey>({ seconds: cacheSeconds, now });
  const knownUsers = createCredentialCache<Principal>({ seconds: cacheSeconds, now });

  async function findApiKey(key: string) {
    const apiKey = await apiKeys.verify(key);
    if (apiKey === undefined) throw new ApiError('invalidApiKey');
    return { value: apiKey };
  }

  async function findPrincipal(token: string) {
    const { userId, firmId, expiresAt } = await tokens.verify(token);
    const access = await users.findAccess(userId);
    if (access === undefined || access.firmId !== firmId) throw new ApiError('unauthorized');
    const { accessLevel, seesCustomers } = access;
    if (accessLevel === 'portalOnly') throw new ApiError('portalOnly');
    return { value: { userId, firmId, accessLevel, seesCustomers }, expiresAt };
  }

  return {
    async apiKey(header) {
      if (header === undefined) throw new ApiError('invalidApiKey');
      return knownKeys(header, findApiKey);
    },

    async principal(header) {
      const token = /^bearer +([\w.-]+)$/i.exec(header ?? '')?.[1];
      if (token === undefined) throw new ApiError('unauthorized');
      return knownUsers(token, findPrincipal);
    },
  };
}
