import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import type { Knex } from 'knex';

import { inTransaction } from '../db/transaction.js';
import { ignoreReadOnly } from '../db/unavailable.js';
import { createKeySealer } from './sealed-text.js';

/** A stored key pair for signing ID tokens (ES256). */
export interface SigningKey {
  /** The RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  /** Undefined if it was sealed with another secret: such a key only verifies tokens. */
  readonly privateJwk: JWK | undefined;
  readonly publicJwk: JWK;
  readonly createdOn: Date;
}

/** The advisory lock for creating keys, so that processes that start together create only one. */
const LOCK = 'signing_keys';

/** Matches keys that a newer one replaced so many seconds ago that their tokens have expired. */
const superseded = `created_on < (select max(created_on) from signing_keys
                                    where created_on <= now() - ? * interval '1 s')`;

/**
 * Creates the store with the only SQL on `signing_keys`. Age is by the clock of the database, which
 * all processes share.
 *
 * @param secret - the setting SIGNING_KEY_SECRET, with which private keys are encrypted (D-59)
 */
export function createSigningKeyStore(knex: Knex, secret: string) {
  const sealer = createKeySealer(secret);

  async function list(database: Knex): Promise<SigningKey[]> {
    const rows = await database('signing_keys')
      .whereRaw(`(${superseded}) is not true`, [SUPERSEDED_KEY_SECONDS])
      .orderBy([{ column: 'created_on', order: 'desc' }, { column: 'kid' }])
      .select<StoredKey[]>({
        kid: 'kid',
        sealedKey: 'sealed_key',
        publicJwk: 'public_jwk',
        createdOn: 'created_on',
      });
    return rows.map(({ sealedKey, ...key }) => ({
      ...key,
      privateJwk: sealer.open(key.kid, sealedKey),
    }));
  }

  /** Adds a key that is newer than all others, even if the clock was set back since. */
  async function add(database: Knex): Promise<SigningKey> {
    const { kid, privateJwk, publicJwk } = await generateSigningKey();
    const { rows } = await database.raw<{ rows: [{ createdOn: Date }] }>(
      `insert into signing_keys (kid, sealed_key, public_jwk, created_on)
       select ?, ?, ?::jsonb, greatest(now(), max(created_on) + interval '1 ms') from signing_keys
       returning created_on as "createdOn"`,
      [kid, sealer.seal(kid, privateJwk), JSON.stringify(publicJwk)],
    );
    return { kid, privateJwk, publicJwk, createdOn: rows[0].createdOn };
  }

  const whileLocked = <Result>(work: (trx: Knex.Transaction) => Promise<Result>) =>
    inTransaction(knex, async (trx) => {
      await trx.raw('select pg_advisory_xact_lock(hashtext(?))', [LOCK]);
      return work(trx);
    });

  return {
    /**
     * Returns the keys in use, newest first. Creates one if this secret opens none. Deletes
     * superseded keys, so that no clock that is set back brings one back.
     */
    async list(): Promise<readonly SigningKey[]> {
      await knex('signing_keys')
        .whereRaw(superseded, [SUPERSEDED_KEY_SECONDS])
        .delete()
        .catch(ignoreReadOnly);
      const keys = await list(knex);
      if (keys.some(canSign)) return keys;
      return whileLocked(async (trx) => {
        const others = await list(trx);
        return others.some(canSign) ? others : [await add(trx), ...others];
      });
    },

    /** Returns false if the newest key has another secret, which some services may still have. */
    async opensNewest(): Promise<boolean> {
      const [newest] = await list(knex);
      return newest === undefined || canSign(newest);
    },

    rotate: (): Promise<SigningKey> => whileLocked(add),

    /** Adds a key and removes all others, which invalidates the tokens that they signed. */
    replaceAll(): Promise<SigningKey> {
      return whileLocked(async (trx) => {
        await trx('signing_keys').delete();
        return add(trx);
      });
    },
  };
}

interface StoredKey extends Omit<SigningKey, 'privateJwk'> {
  readonly sealedKey: Buffer;
}

function canSign<Key extends SigningKey>(key: Key): key is Key & { readonly privateJwk: JWK } {
  return key.privateJwk !== undefined;
}

async function generateSigningKey() {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  return {
    kid: await calculateJwkThumbprint(publicJwk),
    privateJwk: await exportJWK(privateKey),
    publicJwk,
  };
}

/** How long a process uses the keys that it read, before it notices a rotation. */
const RELOAD_AFTER_MS = 60_000;
/** The minimum time between reads, so that forged key ids cannot flood the database. */
const RELOAD_UNKNOWN_AFTER_MS = 1_000;

/** An ID token is valid for 1 hour (§5 rule 1), in seconds. */
export const ID_TOKEN_SECONDS = 60 * 60;

/** The lifetime of an ID token plus the time until all processes know the new key, in seconds. */
const SUPERSEDED_KEY_SECONDS = ID_TOKEN_SECONDS + 300;

/**
 * Caches the stored keys.
 *
 * @param monotonicMs - is never set, so that no deleted key lives on if the wall clock is set back
 */
export function createKeyRing(
  store: ReturnType<typeof createSigningKeyStore>,
  monotonicMs: () => number,
) {
  let last: Promise<{ keys: readonly SigningKey[]; readAt: number }> | undefined;
  const imported = new Map<JWK, Promise<CryptoKey>>();

  function read() {
    const readAt = monotonicMs();
    const reading = store.list().then((keys) => {
      imported.clear();
      return { keys, readAt };
    });
    last = reading;
    reading.catch(() => {
      if (last === reading) last = undefined;
    });
    return reading;
  }

  /** Returns the keys, read at most `maxAgeMs` ago. Concurrent calls share one read. */
  async function recentKeys(maxAgeMs: number): Promise<readonly SigningKey[]> {
    const known = last;
    if (known === undefined) return (await read()).keys;
    const { keys, readAt } = await known;
    if (monotonicMs() - readAt < maxAgeMs) return keys;
    const next = last === undefined || last === known ? read() : last;
    return (await next).keys;
  }

  function importKey(jwk: JWK): Promise<CryptoKey> {
    const known = imported.get(jwk);
    if (known !== undefined) return known;
    const key = importJWK(jwk, 'ES256').then((result) => {
      if (result instanceof Uint8Array) throw new Error('A signing key is not an EC key');
      return result;
    });
    imported.set(jwk, key);
    return key;
  }

  return {
    async signingKey(): Promise<{ kid: string; privateKey: CryptoKey }> {
      const newest = (await recentKeys(RELOAD_AFTER_MS)).find(canSign);
      if (newest === undefined) throw new Error('There is no signing key');
      return { kid: newest.kid, privateKey: await importKey(newest.privateJwk) };
    },

    async verificationKey(kid: string): Promise<CryptoKey | undefined> {
      const hasId = (key: SigningKey) => key.kid === kid;
      const key =
        (await recentKeys(RELOAD_AFTER_MS)).find(hasId) ??
        (await recentKeys(RELOAD_UNKNOWN_AFTER_MS)).find(hasId);
      return key && importKey(key.publicJwk);
    },

    async publicKeys(): Promise<readonly JWK[]> {
      const keys = await recentKeys(RELOAD_AFTER_MS);
      return keys.map((key) => ({ ...key.publicJwk, kid: key.kid, alg: 'ES256', use: 'sig' }));
    },
  };
}
