import { isScope, type Scope } from '@adx/contract';
import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { newObjectId } from '../identifiers/object-id.js';
import { createSecret, digestOf, isSecret } from '../identifiers/secret.js';

/** The API key of a partner's software, with its scopes (§5 rule 6). */
export interface ApiKey {
  readonly id: string;
  readonly partner: string;
  readonly scopes: readonly Scope[];
}

/** A key whose secret was verified. */
export interface VerifiedApiKey extends ApiKey {
  /** When the secret ends, if it is an old one. */
  readonly expiresAt: Date | undefined;
}

export interface ListedApiKey extends ApiKey {
  readonly hint: string;
  /** The secret before the last rotation, while it works. */
  readonly old: OldSecret | undefined;
  readonly createdOn: Date;
  readonly revokedOn: Date | undefined;
}

export interface OldSecret {
  readonly hint: string;
  readonly until: Date;
}

export interface Rotation {
  /** How long the old secret still works, in ms; 0 ends all secrets but the new one. */
  readonly overlapMs: number;
  /** The secret that ends at once. It must be given if an old one still works, and only then. */
  readonly ends?: 'old' | 'new' | undefined;
}

export interface RotatedApiKey extends ApiKey {
  readonly key: string;
  readonly old: OldSecret | undefined;
}

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

interface ApiKeyRow {
  id: string;
  partner: string;
  key_hash: Buffer;
  key_hint: string;
  old_hash: Buffer | null;
  old_hint: string | null;
  old_until: Date | null;
  scopes: string[];
  created_on: Date;
  revoked_on: Date | null;
}

/** Tells keys of a sandbox from others (D-20). Both are verified alike. */
const prefixes = { live: 'adx_live_', test: 'adx_test_' } as const;
export type ApiKeyKind = keyof typeof prefixes;
/** Enough to tell keys apart, but not to guess one: 232 of its 256 bits stay secret. */
const HINT_LENGTH = prefixes.live.length + 4;

/**
 * Creates the store of API keys; nothing else writes `api_keys`.
 *
 * @param kind that of new secrets
 */
export function createApiKeyStore(
  knex: Knex,
  now: () => Date = () => new Date(),
  kind: ApiKeyKind = 'live',
) {
  const table = () => knex<ApiKeyRow>('api_keys');
  return {
    /**
     * Returns the key of a secret that is not revoked. An old secret works until `expiresAt`
     * (D-35).
     */
    async verify(key: string): Promise<VerifiedApiKey | undefined> {
      if (!Object.values(prefixes).some((prefix) => isSecret(prefix, key))) return undefined;
      const hash = digestOf(key);
      const row = await table()
        .where({ revoked_on: null })
        .whereRaw('(key_hash = ? or (old_hash = ? and old_until > ?))', [hash, hash, now()])
        .first('id', 'partner', 'scopes', 'key_hash', 'old_until');
      if (row === undefined) return undefined;
      const isOld = !row.key_hash.equals(hash);
      return { ...toApiKey(row), expiresAt: isOld ? (row.old_until ?? undefined) : undefined };
    },

    /** Creates an API key. Only the hash of its secret is stored (D-20). */
    async issue({ partner, scopes }: { partner: string; scopes: readonly Scope[] }) {
      const id = newObjectId();
      const { key, stored } = newSecret(prefixes[kind]);
      await table().insert({ id, partner, ...stored, scopes: [...scopes], created_on: now() });
      return { id, key, partner, scopes };
    },

    /** Replaces the scopes. Returns undefined if there is no such key, or why nothing changed. */
    async setScopes(id: string, scopes: readonly Scope[]): Promise<ApiKey | 'revoked' | undefined> {
      const [row] = await table()
        .where({ id, revoked_on: null })
        .update({ scopes: [...scopes] })
        .returning(['id', 'partner', 'scopes']);
      if (row !== undefined) return toApiKey(row);
      return (await table().where({ id }).first('id')) && 'revoked';
    },

    /**
     * Gives an API key a new secret. Its id stays, and so do the acknowledgements of files (D-35).
     *
     * @returns undefined if there is no such key, or the reason why it was not rotated
     */
    rotate(
      id: string,
      { overlapMs, ends }: Rotation,
    ): Promise<RotatedApiKey | undefined | 'revoked' | 'hasOldSecret' | 'hasNoOldSecret'> {
      return inTransaction(knex, async (trx) => {
        const row = await trx<ApiKeyRow>('api_keys').where({ id }).forUpdate().first();
        if (row === undefined) return undefined;
        if (row.revoked_on !== null) return 'revoked';
        const hasOld = oldSecretOf(row, now()) !== undefined;
        if (overlapMs > 0 && hasOld && ends === undefined) return 'hasOldSecret';
        if (!hasOld && ends !== undefined) return 'hasNoOldSecret';
        const { key, stored } = newSecret(prefixes[kind]);
        const kept =
          ends === 'new'
            ? { old_hash: row.old_hash, old_hint: row.old_hint }
            : { old_hash: row.key_hash, old_hint: row.key_hint };
        const old =
          overlapMs > 0
            ? { ...kept, old_until: new Date(now().getTime() + overlapMs) }
            : noOldSecret;
        await trx<ApiKeyRow>('api_keys')
          .where({ id })
          .update({ ...stored, ...old });
        return { ...toApiKey(row), key, old: oldSecretOf(old, now()) };
      });
    },

    async list(): Promise<ListedApiKey[]> {
      const rows = await table().orderBy([{ column: 'created_on' }, { column: 'id' }]);
      return rows.map((row) => ({
        ...toApiKey(row),
        hint: row.key_hint,
        old: oldSecretOf(row, now()),
        createdOn: row.created_on,
        revokedOn: row.revoked_on ?? undefined,
      }));
    },

    /** Revokes the key for good. Returns false if there is no such key. */
    async revoke(id: string): Promise<boolean> {
      const count = await table()
        .where({ id })
        .update({ ...noOldSecret, revoked_on: knex.raw('coalesce(revoked_on, ?)', [now()]) });
      return count > 0;
    },
  };
}

const noOldSecret = { old_hash: null, old_hint: null, old_until: null };

function newSecret(prefix: string) {
  const key = createSecret(prefix);
  return { key, stored: { key_hash: digestOf(key), key_hint: key.slice(0, HINT_LENGTH) } };
}

function oldSecretOf(
  { old_hint: hint, old_until: until }: Pick<ApiKeyRow, 'old_hint' | 'old_until'>,
  at: Date,
): OldSecret | undefined {
  return hint !== null && until !== null && until > at ? { hint, until } : undefined;
}

/** Scopes that this version does not know are ignored. */
function toApiKey(row: Pick<ApiKeyRow, 'id' | 'partner' | 'scopes'>): ApiKey {
  return { id: row.id, partner: row.partner, scopes: row.scopes.filter(isScope) };
}
