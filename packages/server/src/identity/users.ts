import type { Knex } from 'knex';
import { OperatorFailure } from '../api/operator-failure.js';
import { inTransaction } from '../db/transaction.js';
import { newObjectId } from '../identifiers/object-id.js';
import type { PrincipalAccessLevel } from './principal.js';
import { createRefreshTokenStore } from './refresh-tokens.js';

/** The access levels (D-18). */
export const accessLevels = ['administrator', 'user', 'portalOnly'] as const;
export type AccessLevel = PrincipalAccessLevel | 'portalOnly';

/** The customers that a user sees: all of the firm, or those with these ids. */
export type CustomerAccess = 'all' | readonly string[];

export interface User {
  readonly id: string;
  readonly firmId: string;
  readonly username: string;
  readonly accessLevel: AccessLevel;
  readonly customers: CustomerAccess;
  readonly createdOn: Date;
  readonly updatedOn: Date;
  readonly disabledOn: Date | undefined;
}

export interface NewUser {
  readonly firmId: string;
  readonly username: string;
  readonly passwordHash: string;
  readonly accessLevel: AccessLevel;
  readonly customers: CustomerAccess;
}

export interface UserChanges {
  readonly passwordHash?: string;
  readonly accessLevel?: AccessLevel;
  readonly customers?: CustomerAccess;
}

export type UserStore = ReturnType<typeof createUserStore>;

interface UserRow {
  id: string;
  firm_id: string;
  username: string;
  password_hash: string;
  access_level: AccessLevel;
  sees_customers: 'all' | 'assigned';
  disabled_on: Date | null;
  created_on: Date;
  updated_on: Date;
}

/**
 * Creates the store of users, the only SQL on `users` and `user_customers` except for the conditions of
 * `visibleCustomers`.
 */
export function createUserStore(knex: Knex, now: () => Date = () => new Date()) {
  const table = (database: Knex = knex) => database<UserRow>('users');

  async function select(condition: string, values: readonly string[], database: Knex = knex) {
    const { rows } = await database.raw<{ rows: (UserRow & { assigned: string[] })[] }>(
      `select u.*, array(select uc.customer_id from user_customers uc
                         where uc.user_id = u.id order by uc.customer_id) as assigned
       from users u where ${condition} order by u.firm_id, ${folded('u.username')}`,
      values,
    );
    return rows.map(toUser);
  }

  async function find(id: string, database: Knex = knex): Promise<User | undefined> {
    const [user] = await select('u.id = ?', [id], database);
    return user;
  }

  return {
    /** @throws OperatorFailure if the username is in use, the firm unknown, or a customer not of the firm */
    create(user: NewUser): Promise<User> {
      return inTransaction(knex, async (trx) => {
        const at = now();
        const row = {
          id: newObjectId(),
          firm_id: user.firmId,
          username: user.username,
          password_hash: user.passwordHash,
          access_level: user.accessLevel,
          sees_customers: seesCustomers(user.customers),
          created_on: at,
          updated_on: at,
        };
        await explainRefusal(user, table(trx).insert(row));
        if (user.customers !== 'all') await assign(trx, row, user.customers);
        return toUser({ ...row, disabled_on: null, assigned: user.customers });
      });
    },

    /** Returns all users by firm and username, including disabled ones. */
    list: () => select('true', []),

    find: (id: string) => find(id),

    /**
     * Changes the given fields. A new password revokes the user's refresh tokens.
     *
     * @returns undefined if there is no such user
     * @throws OperatorFailure if a customer is not of the firm
     */
    update(id: string, changes: UserChanges): Promise<User | undefined> {
      const { passwordHash, accessLevel, customers } = changes;
      return inTransaction(knex, async (trx) => {
        const [row] = await table(trx)
          .where({ id })
          .update({
            updated_on: now(),
            ...(passwordHash !== undefined && { password_hash: passwordHash }),
            ...(accessLevel !== undefined && { access_level: accessLevel }),
            ...(customers !== undefined && { sees_customers: seesCustomers(customers) }),
          })
          .returning(['id', 'firm_id']);
        if (row === undefined) return undefined;
        if (customers !== undefined) await assign(trx, row, customers === 'all' ? [] : customers);
        if (passwordHash !== undefined) await createRefreshTokenStore(trx).revokeAll(id);
        return find(id, trx);
      });
    },

    /** Disables the user and revokes the refresh tokens. Returns undefined if there is no such user. */
    disable(id: string): Promise<User | undefined> {
      return inTransaction(knex, async (trx) => {
        const at = now();
        await table(trx)
          .where({ id, disabled_on: null })
          .update({ disabled_on: at, updated_on: at });
        await createRefreshTokenStore(trx).revokeAll(id);
        return find(id, trx);
      });
    },

    /** Returns the credentials to verify when signing in. Usernames are case-insensitive. */
    async findCredentials(username: string) {
      const row = await table()
        .whereRaw(`${folded('username')} = ${folded('?')}`, [username])
        .first('id', 'firm_id', 'password_hash', 'disabled_on');
      return (
        row && {
          id: row.id,
          firmId: row.firm_id,
          passwordHash: row.password_hash,
          isDisabled: row.disabled_on !== null,
        }
      );
    },

    /** Returns the username in lower case, by the rules with which usernames are compared. */
    async foldUsername(username: string): Promise<string> {
      const { rows } = await knex.raw<{ rows: [{ folded: string }] }>(
        `select ${folded('?')} as folded`,
        [username],
      );
      return rows[0].folded;
    },

    /** Returns the access of a user, unless the user is disabled. */
    async findAccess(id: string) {
      const row = await table()
        .where({ id, disabled_on: null })
        .first('firm_id', 'access_level', 'sees_customers');
      return (
        row && {
          firmId: row.firm_id,
          accessLevel: row.access_level,
          seesCustomers: row.sees_customers,
        }
      );
    },
  };
}

/** Returns SQL for a text in lower case, by the same rules in every database, whatever its locale. */
function folded(text: string): string {
  return `lower(${text} collate "und-x-icu")`;
}

/** Replaces the assigned customers of a user. */
async function assign(
  trx: Knex.Transaction,
  user: { id: string; firm_id: string },
  customerIds: readonly string[],
): Promise<void> {
  await trx('user_customers').where({ user_id: user.id }).delete();
  const { rows } = await trx.raw<{ rows: { customer_id: string }[] }>(
    `insert into user_customers (user_id, customer_id, firm_id)
     select ?, c.id, c.firm_id from customers c
     where c.firm_id = ? and c.archived_on is null and c.id = any(?)
     returning customer_id`,
    [user.id, user.firm_id, [...customerIds]],
  );
  const assigned = new Set(rows.map((row) => row.customer_id));
  const missing = customerIds.filter((id) => !assigned.has(id));
  if (missing.length > 0) {
    throw new OperatorFailure(`The firm has no customer with the id ${missing.join(', ')}.`);
  }
}

/** Translates the violation of a constraint by a new user into a sentence for the operator. */
async function explainRefusal(user: NewUser, insertion: PromiseLike<unknown>): Promise<void> {
  try {
    await insertion;
  } catch (error) {
    const constraint =
      error instanceof Error && 'constraint' in error ? error.constraint : undefined;
    if (constraint === 'users_username_key') {
      throw new OperatorFailure(`There is already a user ${user.username}.`);
    }
    if (constraint === 'users_firm_id_fkey') {
      throw new OperatorFailure(`There is no firm with the id ${user.firmId}.`);
    }
    throw error;
  }
}

function seesCustomers(customers: CustomerAccess): 'all' | 'assigned' {
  return customers === 'all' ? 'all' : 'assigned';
}

function toUser(row: Omit<UserRow, 'password_hash'> & { assigned: CustomerAccess }): User {
  return {
    id: row.id,
    firmId: row.firm_id,
    username: row.username,
    accessLevel: row.access_level,
    customers: row.sees_customers === 'all' ? 'all' : row.assigned,
    createdOn: row.created_on,
    updatedOn: row.updated_on,
    disabledOn: row.disabled_on ?? undefined,
  };
}
