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
import { ID_TOKEN_SECONDS } from './lifetimes.js';

/** A key pair that signs ID tokens (ES256), as it is stored. */
interface SigningKey {
  /** The RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
  readonly createdOn: Date;
}

interface SigningKeyStore {
  /** Every key, the newest first; makes the first one where there is none. */
  list(): Promise<readonly SigningKey[]>;
  /** Adds a new key and removes those that were superseded before the given time. */
  rotate(supersededBefore: Date): Promise<SigningKey>;
  /** Adds a new key and removes every other one, with it the tokens they signed. */
  replaceAll(): Promise<SigningKey>;
}

interface SigningKeyRow {
  kid: string;
  private_jwk: JWK;
  public_jwk: JWK;
  created_on: Date;
}

/** Held for a transaction by whoever makes a key, so that processes starting together make one. */
const LOCK = 'signing_keys';

/** The only SQL on `signing_keys`. */
export function createSigningKeyStore(
  knex: Knex,
  now: () => Date = () => new Date(),
): SigningKeyStore {
  async function list(database: Knex): Promise<SigningKey[]> {
    const rows = await database<SigningKeyRow>('signing_keys').orderBy([
      { column: 'created_on', order: 'desc' },
      { column: 'kid' },
    ]);
    return rows.map(toSigningKey);
  }

  async function add(database: Knex): Promise<SigningKey> {
    const key = await generateSigningKey(now());
    await database('signing_keys').insert({
      kid: key.kid,
      private_jwk: JSON.stringify(key.privateJwk),
      public_jwk: JSON.stringify(key.publicJwk),
      created_on: key.createdOn,
    });
    return key;
  }

  return {
    async list() {
      const keys = await list(knex);
      if (keys.length > 0) return keys;
      return inTransaction(knex, async (trx) => {
        await trx.raw('select pg_advisory_xact_lock(hashtext(?))', [LOCK]);
        const madeMeanwhile = await list(trx);
        return madeMeanwhile.length > 0 ? madeMeanwhile : [await add(trx)];
      });
    },

    rotate(supersededBefore) {
      return inTransaction(knex, async (trx) => {
        await trx.raw('select pg_advisory_xact_lock(hashtext(?))', [LOCK]);
        await trx.raw(
          `delete from signing_keys where created_on <
             (select max(created_on) from signing_keys where created_on < ?)`,
          [supersededBefore],
        );
        return add(trx);
      });
    },

    replaceAll() {
      return inTransaction(knex, async (trx) => {
        await trx.raw('select pg_advisory_xact_lock(hashtext(?))', [LOCK]);
        await trx('signing_keys').delete();
        return add(trx);
      });
    },
  };
}

async function generateSigningKey(createdOn: Date): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  return {
    kid: await calculateJwkThumbprint(publicJwk),
    privateJwk: await exportJWK(privateKey),
    publicJwk,
    createdOn,
  };
}

function toSigningKey(row: SigningKeyRow): SigningKey {
  return {
    kid: row.kid,
    privateJwk: row.private_jwk,
    publicJwk: row.public_jwk,
    createdOn: row.created_on,
  };
}

/** How long a process works with the keys it read; a rotation elsewhere is noticed after this. */
const RELOAD_AFTER_MS = 60_000;
/** How soon an unknown key id may cause another read, so that made-up ids cannot flood the database. */
const RELOAD_UNKNOWN_AFTER_MS = 1_000;

/**
 * How long a superseded key still verifies, in seconds: the life of an ID token, after the time in
 * which another process may not have noticed the rotation and still signs with the old key.
 */
export const SUPERSEDED_KEY_SECONDS = ID_TOKEN_SECONDS + 300;

/** The keys of ID tokens, kept in memory and read again from time to time. */
interface KeyRing {
  /** The newest key, to sign with. */
  signingKey(): Promise<{ kid: string; privateKey: CryptoKey }>;
  /** The public key of this id, or undefined when no such key is in use. */
  verificationKey(kid: string): Promise<CryptoKey | undefined>;
  /** The public part of every key in use. */
  publicKeys(): Promise<readonly JWK[]>;
}

interface ReadKeys {
  readonly keys: readonly SigningKey[];
  readonly readAt: number;
}

/** A key ring over the stored keys; the first use makes a key where there is none. */
export function createKeyRing(store: SigningKeyStore, now: () => Date): KeyRing {
  let last: Promise<ReadKeys> | undefined;
  const imported = new Map<JWK, Promise<CryptoKey>>();

  function read(): Promise<ReadKeys> {
    const reading = store.list().then((keys) => {
      imported.clear();
      return { keys, readAt: now().getTime() };
    });
    last = reading;
    reading.catch(() => {
      if (last === reading) last = undefined;
    });
    return reading;
  }

  /** The keys that were read at most this long ago; calls at the same time share one read. */
  async function recentKeys(maxAgeMs: number): Promise<readonly SigningKey[]> {
    const known = last;
    if (known === undefined) return (await read()).keys;
    const { keys, readAt } = await known;
    if (now().getTime() - readAt < maxAgeMs) return keys;
    const next = last === undefined || last === known ? read() : last;
    return (await next).keys;
  }

  async function keysInUse(maxAgeMs: number): Promise<readonly SigningKey[]> {
    const keys = await recentKeys(maxAgeMs);
    return keys.filter((_, index) => isInUse(keys[index - 1], now()));
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
    async signingKey() {
      const [newest] = await keysInUse(RELOAD_AFTER_MS);
      if (newest === undefined) throw new Error('There is no signing key');
      return { kid: newest.kid, privateKey: await importKey(newest.privateJwk) };
    },

    async verificationKey(kid) {
      const withThisId = (key: SigningKey) => key.kid === kid;
      const key =
        (await keysInUse(RELOAD_AFTER_MS)).find(withThisId) ??
        (await keysInUse(RELOAD_UNKNOWN_AFTER_MS)).find(withThisId);
      return key && importKey(key.publicJwk);
    },

    async publicKeys() {
      const keys = await keysInUse(RELOAD_AFTER_MS);
      return keys.map((key) => ({ ...key.publicJwk, kid: key.kid, alg: 'ES256', use: 'sig' }));
    },
  };
}

/** The newest key is in use, and an older one while tokens it signed may still be valid. */
function isInUse(successor: SigningKey | undefined, at: Date): boolean {
  if (successor === undefined) return true;
  return at.getTime() - successor.createdOn.getTime() < SUPERSEDED_KEY_SECONDS * 1000;
}
