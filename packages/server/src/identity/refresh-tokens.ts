import type { Knex } from 'knex';
import { createSecret, digestOf, isSecret } from '../identifiers/secret.js';
import type { TokenUser } from './tokens.js';

export type RefreshTokenStore = ReturnType<typeof createRefreshTokenStore>;

/** A refresh token is valid for 30 days (§5 rule 2), in seconds. */
const REFRESH_TOKEN_SECONDS = 30 * 24 * 60 * 60;

const PREFIX = 'adx_refresh_';

/** Creates the store of refresh tokens, the only SQL on `refresh_tokens`. */
export function createRefreshTokenStore(knex: Knex, now: () => Date = () => new Date()) {
  const table = () => knex('refresh_tokens');
  return {
    /**
     * Creates a refresh token for use with API keys of the partner (D-22).
     *
     * @param passwordHash - the hash against which the password was verified. If the password was
     *   changed or the user disabled since, no token is created
     */
    async issue(
      userId: string,
      partner: string,
      passwordHash: string,
    ): Promise<string | undefined> {
      const token = createSecret(PREFIX);
      const createdOn = now();
      const expiresOn = new Date(createdOn.getTime() + REFRESH_TOKEN_SECONDS * 1000);
      await table().where({ user_id: userId }).where('expires_on', '<=', createdOn).delete();
      // `for share` waits for a concurrent change of the password and then sees the new hash. So no
      // token of the old password survives the change, which revokes existing tokens.
      const issued = await knex.raw<{ rowCount: number }>(
        `insert into refresh_tokens (token_hash, user_id, partner, created_on, expires_on)
         select ?, u.id, ?, ?::timestamptz, ?::timestamptz from users u
         where u.id = ? and u.password_hash = ? and u.disabled_on is null
         for share`,
        [digestOf(token), partner, createdOn, expiresOn, userId, passwordHash],
      );
      return issued.rowCount > 0 ? token : undefined;
    },

    /** Returns the user of a token that is valid for the partner, if the user is not disabled. */
    async findUser(token: string, partner: string): Promise<TokenUser | undefined> {
      if (!isSecret(PREFIX, token)) return undefined;
      const tokenHash = digestOf(token);
      const found = await table()
        .join('users', 'users.id', 'refresh_tokens.user_id')
        .where({ token_hash: tokenHash, partner, disabled_on: null })
        .first<(TokenUser & { expiresOn: Date }) | undefined>({
          id: 'users.id',
          firmId: 'users.firm_id',
          tokenVersion: 'users.token_version',
          expiresOn: 'expires_on',
        });
      if (found === undefined) return undefined;
      const { expiresOn, ...user } = found;
      if (expiresOn <= now()) {
        await table().where({ token_hash: tokenHash }).delete();
        return undefined;
      }
      return user;
    },

    async revokeAll(userId: string): Promise<void> {
      await table().where({ user_id: userId }).delete();
    },
  };
}
