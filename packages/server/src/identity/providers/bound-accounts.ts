import type { Knex } from 'knex';
import { inTransaction } from '../../db/transaction.js';
import { endSessions } from '../refresh-tokens.js';
import type { TokenUser } from '../tokens.js';

/** An account at an external identity provider, whose issuer gives each account another subject. */
export interface Account {
  readonly issuer: string;
  readonly subject: string;
}

export type AccountStore = ReturnType<typeof createAccountStore>;

/** Creates the store of the accounts that users are bound to (D-56). The user store reads them. */
export function createAccountStore(knex: Knex) {
  return {
    /**
     * Binds a user, who is not bound to another account of the issuer.
     *
     * @param user - as it was before the provider was asked: a user who was released since is not
     *   bound
     * @returns undefined if the user is bound, otherwise the id of the user whose binding is in the
     *   way: another one who has the account and is not disabled, or the user
     */
    async bind(
      { id, tokenVersion }: Pick<TokenUser, 'id' | 'tokenVersion'>,
      { issuer, subject }: Account,
    ): Promise<string | undefined> {
      try {
        const bound = await knex.raw<{ rowCount: number }>(
          `update users set account_issuer = :issuer, account_subject = :subject
            where id = :id and token_version = :tokenVersion
              and (account_issuer is distinct from :issuer or account_subject = :subject)`,
          { id, tokenVersion, issuer, subject },
        );
        return bound.rowCount > 0 ? undefined : id;
      } catch (error) {
        if (Object(error).constraint !== 'users_account_key') throw error;
        const account = { account_issuer: issuer, account_subject: subject };
        const [other] = await knex('users')
          .where({ ...account, disabled_on: null })
          .pluck('id');
        return other ?? id;
      }
    },

    /** Unbinds a user and ends its tokens (D-56), without waiting for the provider. */
    release(id: string): Promise<void> {
      return inTransaction(knex, async (trx) => {
        await trx('users').where({ id }).update({
          account_issuer: null,
          account_subject: null,
          updated_on: new Date(),
        });
        await endSessions(trx, { id });
      });
    },
  };
}
