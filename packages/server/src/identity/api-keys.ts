import { isScope, type Scope } from '@adx/contract';
import type { Knex } from 'knex';
import { newObjectId } from '../identifiers/object-id.js';
import { createSecret, digestOf, isSecret } from '../identifiers/secret.js';

/** The partner software that calls, and what it may do (§5 rule 6). */
export interface ApiKey {
  readonly id: string;
  readonly partner: string;
  readonly scopes: readonly Scope[];
}

/** An API key as an operator sees it: by the hint of its first characters, never whole. */
export interface ListedApiKey extends ApiKey {
  readonly hint: string;
  readonly createdOn: Date;
  readonly revokedOn: Date | undefined;
}

export interface ApiKeyStore {
  /** The API key of this text, unless it is unknown or revoked. */
  verify(key: string): Promise<ApiKey | undefined>;
  /** Makes a key; the answer is the only place where it stands whole (D-20). */
  issue(apiKey: { partner: string; scopes: readonly Scope[] }): Promise<ApiKey & { key: string }>;
  /** Every API key, revoked ones too, in the order of issue. */
  list(): Promise<ListedApiKey[]>;
  /** Revokes the key for good; false when there is no such key. Revoking twice is fine. */
  revoke(id: string): Promise<boolean>;
}

interface ApiKeyRow {
  id: string;
  partner: string;
  key_hash: Buffer;
  key_hint: string;
  scopes: string[];
  created_on: Date;
  revoked_on: Date | null;
}

const PREFIX = 'adx_live_';
/** Enough to tell keys apart, too little to guess one: 232 of its 256 bits stay unknown. */
const HINT_LENGTH = PREFIX.length + 4;

/** The only SQL on `api_keys`. */
export function createApiKeyStore(knex: Knex, now: () => Date = () => new Date()): ApiKeyStore {
  const table = () => knex<ApiKeyRow>('api_keys');
  return {
    async verify(key) {
      if (!isSecret(PREFIX, key)) return undefined;
      const row = await table()
        .where({ key_hash: digestOf(key), revoked_on: null })
        .first('id', 'partner', 'scopes');
      return row && toApiKey(row);
    },

    async issue({ partner, scopes }) {
      const id = newObjectId();
      const key = createSecret(PREFIX);
      await table().insert({
        id,
        partner,
        key_hash: digestOf(key),
        key_hint: key.slice(0, HINT_LENGTH),
        scopes: [...scopes],
        created_on: now(),
      });
      return { id, key, partner, scopes };
    },

    async list() {
      const rows = await table().orderBy([{ column: 'created_on' }, { column: 'id' }]);
      return rows.map((row) => ({
        ...toApiKey(row),
        hint: row.key_hint,
        createdOn: row.created_on,
        revokedOn: row.revoked_on ?? undefined,
      }));
    },

    async revoke(id) {
      const count = await table()
        .where({ id })
        .update({ revoked_on: knex.raw('coalesce(revoked_on, ?)', [now()]) });
      return count > 0;
    },
  };
}

/** A scope that this version does not know grants nothing. */
function toApiKey(row: Pick<ApiKeyRow, 'id' | 'partner' | 'scopes'>): ApiKey {
  return { id: row.id, partner: row.partner, scopes: row.scopes.filter(isScope) };
}
