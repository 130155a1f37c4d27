import { LRUCache } from 'lru-cache';
import { ApiError } from '../api/api-error.js';
import { digestOf } from '../identifiers/secret.js';
import type { ApiKey, ApiKeyStore } from './api-keys.js';
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

interface AuthenticatorOptions {
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

/** What a credential was found to stand for; `expiresAt` where the credential itself ends. */
interface Accepted<T> {
  readonly value: T;
  readonly expiresAt?: Date;
}

/**
 * Finds what a credential stands for, or remembers it. What `find` throws is thrown on and not
 * remembered. Calls with the same credential at the same time share one `find`.
 */
type CredentialCache<T> = (
  credential: string,
  find: (credential: string) => Promise<Accepted<T>>,
) => Promise<T>;

interface Entry<T> {
  readonly value: T;
  /** In ms since 1970; at this time and after it the credential is looked at again. */
  readonly goodUntil: number;
}

/** Bounds the memory: credentials in use at the same time, beyond which the oldest are forgotten. */
const MAX_CREDENTIALS = 10_000;

/**
 * Remembers accepted credentials for some seconds, under their SHA-256, and never longer than a
 * credential is valid. Verifying an ID token costs about 100 µs and two look-ups: too much to
 * repeat for every call of a busy partner.
 *
 * @param options.seconds - counted from before the look-up, so that no answer is older; 0 keeps nothing
 */
export function createCredentialCache<T>(options: {
  seconds: number;
  now: () => Date;
}): CredentialCache<T> {
  const { seconds, now } = options;
  const entries = new LRUCache<string, Promise<Entry<T>>>({ max: MAX_CREDENTIALS });

  async function look(credential: string, find: (credential: string) => Promise<Accepted<T>>) {
    const startedAt = now().getTime();
    const { value, expiresAt } = await find(credential);
    const goodUntil = Math.min(startedAt + seconds * 1000, expiresAt?.getTime() ?? Infinity);
    return { value, goodUntil };
  }

  return async (credential, find) => {
    if (seconds === 0) return (await find(credential)).value;
    const key = digestOf(credential).toString('base64');
    const known = entries.get(key);
    if (known !== undefined) {
      const { value, goodUntil } = await known;
      if (now().getTime() < goodUntil) return value;
      if (entries.get(key) === known) entries.delete(key);
    }
    const pending = entries.get(key) ?? look(credential, find);
    entries.set(key, pending);
    try {
      return (await pending).value;
    } catch (error) {
      if (entries.get(key) === pending) entries.delete(key);
      throw error;
    }
  };
}
