import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';

/** A key pair that signs ID tokens (ES256), as it is stored. */
export interface SigningKey {
  /** The RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
  readonly createdOn: Date;
}

export interface SigningKeyStore {
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
