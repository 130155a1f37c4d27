import type { Knex } from 'knex';
import { OperatorFailure } from '../api/operator-failure.js';
import { inTransaction } from '../db/transaction.js';
import { newObjectId } from '../identifiers/object-id.js';
import type { PrincipalAccessLevel } from './principal.js';
import { createRefreshTokenStore } from './refresh-tokens.js';

/** Access levels (D-18). */
export const accessLevels = ['administrator', 'user', 'portalOnly'] as const;
export type AccessLevel = PrincipalAccessLevel | 'portalOnly';

/** Which customers a user sees: all of the firm's, or those with these ids. */
export type CustomerAccess = 'all' | readonly string[];

/** A user of a firm. */
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

/** What a sign-in is checked against. */
interface StoredCredentials {
  readonly id: string;
  readonly firmId: string;
  readonly passwordHash: string;
  readonly isDisabled: boolean;
}

/** What a user may do and see right now. */
interface UserAccess {
  readonly firmId: string;
  readonly accessLevel: AccessLevel;
  readonly seesCustomers: 'all' | 'assigned';
}

export interface UserStore {
  /** @throws OperatorFailure when the username is taken, the firm unknown or a customer not the firm's */
  create(user: NewUser): Promise<User>;
  /** Every user, disabled ones too, by firm and username. */
  list(): Promise<User[]>;
  find(id: string): Promise<User | undefined>;
  /**
   * Changes what is given; undefined when there is no such user. A new password ends the user's
   * refresh tokens.
   *
   * @throws OperatorFailure when a customer is not the firm's
   */
  update(id: string, changes: UserChanges): Promise<User | undefined>;
  /** Disables the user and ends the refresh tokens; undefined when there is no such user. */
  disable(id: string): Promise<User | undefined>;
  /** What to check a sign-in against; usernames are compared without regard to case. */
  findCredentials(username: string): Promise<StoredCredentials | undefined>;
  /** The username without regard to case: the same for two that are taken for the same user. */
  foldUsername(username: string): Promise<string>;
  /** What an enabled user may do and see. */
  findAccess(id: string): Promise<UserAccess | undefined>;
}

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

/** The only SQL on `users` and on `user_customers`, save for the conditions of `visibleCustomers`. */
export function createUserStore(knex: Knex, now: () => Date = () => new Date()): UserStore {
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
    create(user) {
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
        await refusing(user, table(trx).insert(row));
        if (user.customers !== 'all') await assign(trx, row, user.customers);
        return toUser({ ...row, disabled_on: null, assigned: user.customers });
      });
    },

    list: () => select('true', []),

    find: (id) => find(id),

    update(id, { passwordHash, accessLevel, customers }) {
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

    disable(id) {
      return inTransaction(knex, async (trx) => {
        const at = now();
        await table(trx)
          .where({ id, disabled_on: null })
          .update({ disabled_on: at, updated_on: at });
        await createRefreshTokenStore(trx).revokeAll(id);
        return find(id, trx);
      });
    },

    async findCredentials(username) {
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

    async foldUsername(username) {
      const { rows } = await knex.raw<{ rows: [{ folded: string }] }>(
        `select ${folded('?')} as folded`,
        [username],
      );
      return rows[0].folded;
    },

    async findAccess(id) {
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

/** A text without regard to case, by the same rules in every database, whatever its locale. */
function folded(text: string): string {
  return `lower(${text} collate "und-x-icu")`;
}

/** Makes these customers the assigned ones, in place of those that were. */
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

/** Says in a sentence why a new user was refused by the database. */
async function refusing(user: NewUser, insertion: PromiseLike<unknown>): Promise<void> {
  try {
    await insertion;
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === 'users_username_key') {
      throw new OperatorFailure(`There is already a user ${user.username}.`);
    }
    if (constraint === 'users_firm_id_fkey') {
      throw new OperatorFailure(`There is no firm with the id ${user.firmId}.`);
    }
    throw error;
  }
}

/** The constraint whose violation PostgreSQL reports, if that is what the error is. */
function violatedConstraint(error: unknown): unknown {
  return error instanceof Error && 'constraint' in error ? error.constraint : undefined;
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
