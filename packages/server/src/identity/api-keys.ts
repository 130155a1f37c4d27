import { isScope, type Scope } from '@adx/contract';
import type { Knex } from 'knex';
import { newObjectId } from '../identifiers/object-id.js';
import { createSecret, digestOf, isSecret } from '../identifiers/secret.js';

/** The API key of a partner's software, with its scopes (§5 rule 6). */
export interface ApiKey {
  readonly id: string;
  readonly partner: string;
  readonly scopes: readonly Scope[];
}

/** An API key in a list, with its first characters as a hint. */
export interface ListedApiKey extends ApiKey {
  readonly hint: string;
  readonly createdOn: Date;
  readonly revokedOn: Date | undefined;
}

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

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
/** Enough to tell keys apart, but not to guess one: 232 of its 256 bits stay secret. */
const HINT_LENGTH = PREFIX.length + 4;

/** Creates the store of API keys; nothing else writes `api_keys`. */
export function createApiKeyStore(knex: Knex, now: () => Date = () => new Date()) {
  const table = () => knex<ApiKeyRow>('api_keys');
  return {
    /** Returns the API key, unless it is unknown or revoked. */
    async verify(key: string): Promise<ApiKey | undefined> {
      if (!isSecret(PREFIX, key)) return undefined;
      const row = await table()
        .where({ key_hash: digestOf(key), revoked_on: null })
        .first('id', 'partner', 'scopes');
      return row && toApiKey(row);
    },

    /** Creates an API key. Only its hash is stored, so this is the only time it is returned (D-20). */
    async issue({ partner, scopes }: { partner: string; scopes: readonly Scope[] }) {
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

    /** Returns all API keys in the order of issue, including revoked ones. */
    async list(): Promise<ListedApiKey[]> {
      const rows = await table().orderBy([{ column: 'created_on' }, { column: 'id' }]);
      return rows.map((row) => ({
        ...toApiKey(row),
        hint: row.key_hint,
        createdOn: row.created_on,
        revokedOn: row.revoked_on ?? undefined,
      }));
    },

    /** Revokes the key permanently. Returns false if there is no such key; revoking again has no effect. */
    async revoke(id: string): Promise<boolean> {
      const count = await table()
        .where({ id })
        .update({ revoked_on: knex.raw('coalesce(revoked_on, ?)', [now()]) });
      return count > 0;
    },
  };
}

/** Scopes that this version does not know are ignored. */
function toApiKey(row: Pick<ApiKeyRow, 'id' | 'partner' | 'scopes'>): ApiKey {
  return { id: row.id, partner: row.partner, scopes: row.scopes.filter(isScope) };
}
