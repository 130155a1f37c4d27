import type { Knex } from 'knex';
import { createSecret, digestOf, isSecret } from '../identifiers/secret.js';
import { REFRESH_TOKEN_SECONDS } from './lifetimes.js';

/** The user to whom a refresh token belongs. */
export interface RefreshTokenUser {
  readonly id: string;
  readonly firmId: string;
}

export interface RefreshTokenStore {
  /**
   * Makes a refresh token, valid for 30 days, for use with API keys of this partner.
   *
   * @param signedInWith - the password hash that the sign-in was verified against: when the password
   *   was changed or the user disabled in the meantime there is no token, and the answer is undefined
   */
  issue(userId: string, partner: string, signedInWith: string): Promise<string | undefined>;
  /** The user of a token, unless it is unknown, expired, another partner's, or the user is disabled. */
  findUser(token: string, partner: string): Promise<RefreshTokenUser | undefined>;
  /** Ends every refresh token of the user. */
  revokeAll(userId: string): Promise<void>;
}

const PREFIX = 'adx_refresh_';

/** The only SQL on `refresh_tokens`. */
export function createRefreshTokenStore(
  knex: Knex,
  now: () => Date = () => new Date(),
): RefreshTokenStore {
  const table = () => knex('refresh_tokens');
  return {
    async issue(userId, partner, signedInWith) {
      const token = createSecret(PREFIX);
      const createdOn = now();
      const expiresOn = new Date(createdOn.getTime() + REFRESH_TOKEN_SECONDS * 1000);
      await table().where({ user_id: userId }).where('expires_on', '<=', createdOn).delete();
      // `for share` waits for a change of password in progress and then sees the new hash, so no
      // token of the old password outlives the change, which ends those that exist.
      const issued = await knex.raw<{ rowCount: number }>(
        `insert into refresh_tokens (token_hash, user_id, partner, created_on, expires_on)
         select ?, u.id, ?, ?::timestamptz, ?::timestamptz from users u
         where u.id = ? and u.password_hash = ? and u.disabled_on is null
         for share`,
        [digestOf(token), partner, createdOn, expiresOn, userId, signedInWith],
      );
      return issued.rowCount > 0 ? token : undefined;
    },

    async findUser(token, partner) {
      if (!isSecret(PREFIX, token)) return undefined;
      const tokenHash = digestOf(token);
      const found = await table()
        .join('users', 'users.id', 'refresh_tokens.user_id')
        .where({ token_hash: tokenHash, partner, disabled_on: null })
        .first<{ id: string; firm_id: string; expires_on: Date } | undefined>(
          'users.id',
          'users.firm_id',
          'expires_on',
        );
      if (found === undefined) return undefined;
      if (found.expires_on <= now()) {
        await table().where({ token_hash: tokenHash }).delete();
        return undefined;
      }
      return { id: found.id, firmId: found.firm_id };
    },

    async revokeAll(userId) {
      await table().where({ user_id: userId }).delete();
    },
  };
}
