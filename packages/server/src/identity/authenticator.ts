import { LRUCache } from 'lru-cache';
import { ApiError } from '../api/api-error.js';
import { digestOf } from '../identifiers/secret.js';
import type { ApiKey, ApiKeyStore, VerifiedApiKey } from './api-keys.js';
import type { Principal } from './principal.js';
import type { TokenService } from './tokens.js';
import type { UserStore } from './users.js';

export type Authenticator = ReturnType<typeof createAuthenticator>;

interface AuthenticatorOptions {
  readonly apiKeys: Pick<ApiKeyStore, 'verify'>;
  readonly tokens: Pick<TokenService, 'verify'>;
  readonly users: Pick<UserStore, 'findAccess'>;
  /** The seconds that accepted credentials are cached; changes take effect within this time. */
  readonly cacheSeconds?: number;
  readonly now?: () => Date;
  /** A clock in ms that is never set, for the age of what is cached (D-20). */
  readonly monotonicMs?: () => number;
}

export function createAuthenticator(options: AuthenticatorOptions) {
  const { apiKeys, tokens, users, cacheSeconds: seconds = 5 } = options;
  const { now = () => new Date(), monotonicMs = () => performance.now() } = options;
  const knownKeys = createCredentialCache<VerifiedApiKey>({ seconds, now, monotonicMs });
  const knownUsers = createCredentialCache<Principal>({ seconds, now, monotonicMs });

  async function findApiKey(key: string) {
    const apiKey = await apiKeys.verify(key);
    if (apiKey === undefined) throw new ApiError('invalidApiKey');
    return { value: apiKey, expiresAt: apiKey.expiresAt };
  }

  async function findPrincipal(token: string, partner: string) {
    const verified = await tokens.verify(token);
    const { userId, firmId, tokenVersion, expiresAt } = verified;
    if (verified.partner !== partner) throw new ApiError('unauthorized');
    const access = await users.findAccess(userId, firmId);
    if (access?.tokenVersion !== tokenVersion) throw new ApiError('unauthorized');
    const { accessLevel, seesCustomers } = access;
    if (accessLevel === 'portalOnly') throw new ApiError('portalOnly');
    return { value: { userId, firmId, accessLevel, seesCustomers }, expiresAt };
  }

  return {
    /** @throws ApiError `invalidApiKey` */
    async apiKey(header: string | undefined): Promise<VerifiedApiKey> {
      if (header === undefined) throw new ApiError('invalidApiKey');
      return knownKeys(header, findApiKey);
    },

    /**
     * Returns the user of an ID token, which was issued to the partner of the API key (D-22).
     *
     * @throws ApiError `unauthorized`, `tokenExpired`, `portalOnly` (§5 rule 4)
     */
    async principal(header: string | undefined, { partner }: ApiKey): Promise<Principal> {
      const token = /^bearer +([\w.-]+)$/i.exec(header ?? '')?.[1];
      if (token === undefined) throw new ApiError('unauthorized');
      return knownUsers(`${token} ${partner}`, () => findPrincipal(token, partner));
    },
  };
}

/** The API key or user of a credential, and the end of the credential itself. */
interface Found<T> {
  readonly value: T;
  readonly expiresAt?: Date | undefined;
}

const MAX_CREDENTIALS = 10_000;

/**
 * Caches accepted credentials, under their SHA-256 and never longer than a credential is valid:
 * verifying an ID token costs about 100 µs and two queries. The end of a credential is an instant
 * of the wall clock; the age of an entry is not. Concurrent calls with the same credential share
 * one `find`, whose errors are not cached.
 *
 * @param options.seconds - counted from the start of the lookup; 0 disables the cache
 */
export function createCredentialCache<T>(options: {
  readonly seconds: number;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}): (credential: string, find: (credential: string) => Promise<Found<T>>) => Promise<T> {
  const { seconds, now, monotonicMs } = options;
  if (seconds === 0) return async (credential, find) => (await find(credential)).value;
  const entries = new LRUCache<string, Promise<Found<T>>>({
    max: MAX_CREDENTIALS,
    // lru-cache keeps an entry as old as its TTL; ours ends at exactly `seconds`.
    ttl: seconds * 1000 - 1,
    // Removes from memory the users who do not call again.
    ttlAutopurge: true,
    // Reads the clock each time, and not once per millisecond.
    ttlResolution: 0,
    // An entry that starts at 0 would never end in lru-cache.
    perf: { now: () => monotonicMs() + 1 },
  });

  return async (credential, find) => {
    const key = digestOf(credential).toString('base64');
    const known = entries.get(key);
    if (known !== undefined) {
      const { value, expiresAt } = await known;
      const isCached = entries.get(key) === known;
      if (isCached && (expiresAt === undefined || now() < expiresAt)) return value;
      if (isCached) entries.delete(key);
    }
    let pending = entries.get(key);
    if (pending === undefined) {
      pending = find(credential);
      entries.set(key, pending);
    }
    try {
      return (await pending).value;
    } catch (error) {
      if (entries.get(key) === pending) entries.delete(key);
      throw error;
    }
  };
}
