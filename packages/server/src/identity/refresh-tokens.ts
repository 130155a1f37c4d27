import type { Knex } from 'knex';
import pLimit from 'p-limit';
import { createTurns } from '../api/turns.js';
import { inTransactionOnce } from '../db/transaction.js';
import { createSecret, digestOf, isSecret } from '../identifiers/secret.js';
import {
  becauseDisabled,
  type IdentityProvider,
  invalidRefreshToken,
  type Refusal,
} from './providers/identity-provider.js';
import { createTextSealer } from './sealed-text.js';
import type { TokenUser } from './tokens.js';

export type RefreshTokenStore = ReturnType<typeof createRefreshTokenStore>;

/** A refresh token is valid for 30 days (§5 rule 2), in seconds. */
const REFRESH_TOKEN_SECONDS = 30 * 24 * 60 * 60;

const PREFIX = 'adx_refresh_';

const BATCH = 1_000;

const noSuchToken = invalidRefreshToken('no such refresh token');

interface FoundToken extends TokenUser {
  readonly providerToken: Buffer | null;
}

interface FoundRow extends FoundToken {
  readonly expiresOn: Date;
  readonly userDisabledOn: Date | null;
  readonly firmDisabledOn: Date | null;
}

/**
 * Creates the store with the only SQL on `refresh_tokens`.
 *
 * @param maximumAsked - refreshes at once that ask an identity provider. Each holds a database
 *   connection, so a slow provider must not get all of them
 */
export function createRefreshTokenStore(knex: Knex, now: () => Date, maximumAsked: number) {
  const inPlace = pLimit(maximumAsked);
  const inTurn = createTurns();

  /** Refuses the token of a disabled user or firm, and keeps it, so that the log can name them. */
  async function find(
    token: string,
    partner: string,
    provider: string,
    database: Knex = knex,
  ): Promise<{ accepted: true; user: FoundToken } | Refusal> {
    if (!isSecret(PREFIX, token)) return noSuchToken;
    const token_hash = digestOf(token);
    const found = await database('refresh_tokens')
      .join('users as u', { 'u.id': 'user_id', 'u.firm_id': 'refresh_tokens.firm_id' })
      .join('firms as f', 'f.id', 'u.firm_id')
      .where({ token_hash, partner, provider })
      .first<FoundRow | undefined>({
        id: 'u.id',
        firmId: 'u.firm_id',
        tokenVersion: 'u.token_version',
        providerToken: 'provider_token',
        expiresOn: 'expires_on',
        userDisabledOn: 'u.disabled_on',
        firmDisabledOn: 'f.disabled_on',
      });
    if (found === undefined) return noSuchToken;
    const { expiresOn, userDisabledOn, firmDisabledOn, ...user } = found;
    const disabled = userDisabledOn ? 'user' : firmDisabledOn && 'firm';
    if (disabled !== null) return becauseDisabled(invalidRefreshToken, { ...user, disabled });
    if (expiresOn > now()) return { accepted: true, user };
    await database('refresh_tokens').where({ token_hash, firm_id: user.firmId }).delete();
    return noSuchToken;
  }

  return {
    /**
     * Creates a token for API keys of the partner (D-22).
     *
     * @param user - as it was when the password was verified. If it was changed, or the user or
     *   firm disabled since, no token is created
     * @param provider - the identity provider, and its own refresh token, which is stored sealed
     */
    async issue(
      user: TokenUser,
      partner: string,
      provider: { readonly name: string; readonly refreshToken?: string | undefined },
    ): Promise<string | undefined> {
      const token = createSecret(PREFIX);
      const { name, refreshToken } = provider;
      const sealed = refreshToken === undefined ? null : sealerOf(token).seal(refreshToken);
      const createdOn = now();
      const expiresOn = new Date(createdOn.getTime() + REFRESH_TOKEN_SECONDS * 1000);
      await knex('refresh_tokens')
        .where({ user_id: user.id, firm_id: user.firmId })
        .where('expires_on', '<=', createdOn)
        .delete();
      // `for share` waits for a concurrent change of the password and then sees the new version, so
      // no token of the old one survives it.
      const issued = await knex.raw<{ rowCount: number }>(
        `insert into refresh_tokens
           (token_hash, firm_id, user_id, partner, provider, provider_token, created_on, expires_on)
         select ?, u.firm_id, u.id, ?, ?, ?, ?::timestamptz, ?::timestamptz
           from users u join firms f on f.id = u.firm_id
          where u.id = ? and u.firm_id = ? and u.token_version = ?
            and u.disabled_on is null and f.disabled_on is null
         for share of u`,
        [
          ...[digestOf(token), partner, name, sealed, createdOn, expiresOn],
          ...[user.id, user.firmId, user.tokenVersion],
        ],
      );
      return issued.rowCount > 0 ? token : undefined;
    },

    /** Finds the user of a token, and asks the identity provider if they may stay signed in. */
    async refresh(
      token: string,
      partner: string,
      { name, refresh }: IdentityProvider,
    ): Promise<{ accepted: true; user: TokenUser } | Refusal> {
      const found = await find(token, partner, name);
      if (refresh === undefined || !found.accepted) return found;
      // A provider that rotates its tokens ends all of them if one is used twice. So a second
      // refresh waits for its turn, and only then takes a place; in other processes it waits for
      // the lock. It is no lock of the row: revoking would wait for it as long as the provider
      // takes.
      const token_hash = digestOf(token);
      const ask = () =>
        // There are no retries, because the provider would be asked again.
        inTransactionOnce(knex, async (trx) => {
          await trx.raw('select pg_advisory_xact_lock(?::bigint)', [
            token_hash.readBigInt64BE().toString(),
          ]);
          // A statement of its own, which sees what the refresh before stored.
          const current = await find(token, partner, name, trx);
          if (!current.accepted) return current;
          const { user } = current;
          if (user.providerToken === null) {
            return invalidRefreshToken('the identity provider gave no refresh token');
          }
          const providerToken = sealerOf(token).open(user.providerToken);
          if (providerToken === undefined) throw new Error('A token of the provider was changed');
          const answer = await refresh(user, providerToken);
          const row = trx('refresh_tokens')
            .where({ token_hash, firm_id: user.firmId })
            .where('expires_on', '>', now());
          // A token that the provider refused would be refused again.
          const count = await (answer.accepted
            ? row.update({
                provider_token: sealerOf(token).seal(answer.refreshToken ?? providerToken),
              })
            : row.delete());
          // It was revoked while the provider was asked.
          if (count === 0) return noSuchToken;
          return answer.accepted ? ({ accepted: true, user } as const) : answer;
        });
      return inTurn(token, () => inPlace(ask));
    },
  };
}

/**
 * Ends refresh tokens, also one whose refresh is under way. They stay as expired ones, so that the
 * log can name a disabled user or firm.
 */
export async function revokeRefreshTokens(
  knex: Knex,
  users: { readonly id: string } | { readonly firm_id: string },
): Promise<void> {
  await knex('refresh_tokens')
    .whereIn('user_id', knex('users').where(users).select('id'))
    // Long ago, whatever the clocks of other processes say.
    .update({ expires_on: new Date(0), provider_token: null });
}

/** Ends the refresh tokens and the ID tokens (D-20). */
export async function endSessions(
  knex: Knex,
  users: { readonly id: string } | { readonly firm_id: string },
): Promise<void> {
  await knex('users')
    .where(users)
    .update({ token_version: knex.raw('token_version + 1') });
  await revokeRefreshTokens(knex, users);
}

/** Deletes a batch of the tokens that are older than 30 days, and returns their number. */
export function deleteOldRefreshTokens(knex: Knex, now: Date): Promise<number> {
  const before = new Date(now.getTime() - REFRESH_TOKEN_SECONDS * 1000);
  const table = () => knex('refresh_tokens');
  const old = table().where('created_on', '<=', before).limit(BATCH).select('token_hash');
  return table().whereIn('token_hash', old).delete();
}

/**
 * Returns a sealer whose key is our own refresh token. Only callers have it, so a copy of the
 * database reveals neither (D-56).
 */
function sealerOf(token: string) {
  return createTextSealer(token, 'adx provider refresh token');
}
