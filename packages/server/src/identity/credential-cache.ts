import { LRUCache } from 'lru-cache';
import { digestOf } from '../identifiers/secret.js';

/** What a credential was found to stand for; `expiresAt` where the credential itself ends. */
export interface Accepted<T> {
  readonly value: T;
  readonly expiresAt?: Date;
}

/**
 * Finds what a credential stands for, or remembers it. What `find` throws is thrown on and not
 * remembered. Calls with the same credential at the same time share one `find`.
 */
export type CredentialCache<T> = (
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
