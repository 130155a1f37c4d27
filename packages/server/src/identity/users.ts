import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { newObjectId } from '../identifiers/object-id.js';
import { hasListedFiles, type Principal, type PrincipalAccessLevel } from './principal.js';
import type { Account } from './providers/bound-accounts.js';
import { endSessions, revokeRefreshTokens } from './refresh-tokens.js';
import type { TokenUser } from './tokens.js';

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
  readonly account: Account | undefined;
}

export interface NewUser extends Pick<User, 'firmId' | 'username' | 'accessLevel' | 'customers'> {
  /** Undefined if another identity provider checks passwords (D-56). */
  readonly passwordHash?: string | undefined;
}

export type UserChanges = Partial<Omit<NewUser, 'firmId' | 'username'>>;

/** Customers that are not of the firm or have no listed files, so they cannot be assigned. */
export interface UnknownCustomers {
  readonly unknownCustomers: readonly string[];
}

export interface Credentials extends TokenUser {
  /** Undefined if another identity provider checks passwords (D-56). */
  readonly passwordHash: string | undefined;
  readonly disabled: 'user' | 'firm' | null;
  readonly account: Account | null;
}

type Access = Pick<User, 'accessLevel'> &
  Pick<Principal, 'seesCustomers'> &
  Pick<TokenUser, 'tokenVersion'>;

export type UserStore = ReturnType<typeof createUserStore>;

/** The SQL of the account of `users u`. */
const account = `case when u.account_issuer is not null
  then json_build_object('issuer', u.account_issuer, 'subject', u.account_subject) end as account`;

const columns = `u.id, u.firm_id as "firmId", u.username, u.access_level as "accessLevel",
  u.sees_customers as customers,
  u.created_on as "createdOn", u.updated_on as "updatedOn", u.disabled_on as "disabledOn", ${account}`;

/**
 * Creates the store of users. Nothing else writes `users`, except for their accounts and the end of
 * their sessions; `user_customers` is also written when a user creates a customer (D-21).
 */
export function createUserStore(knex: Knex, now: () => Date = () => new Date()) {
  async function select(condition: string, values: readonly string[], database: Knex = knex) {
    type Row = Omit<User, 'disabledOn' | 'account'> & {
      readonly disabledOn: Date | null;
      readonly account: Account | null;
    };
    const { rows } = await database.raw<{ rows: Row[] }>(
      `select ${columns} from users u where ${condition} order by u.firm_id, ${folded('u.username')}`,
      values,
    );
    const assigned = await readAssigned(database, rows);
    return rows.map(
      ({ disabledOn, account, ...user }): User => ({
        ...user,
        customers: user.customers === 'all' ? 'all' : (assigned.get(user.id) ?? []),
        disabledOn: disabledOn ?? undefined,
        account: account ?? undefined,
      }),
    );
  }

  async function find(id: string, database: Knex = knex): Promise<User | undefined> {
    const [user] = await select('u.id = ?', [id], database);
    return user;
  }

  return {
    /** Creates a user, or returns why not: the username is taken, or customers are unknown. */
    create(user: NewUser): Promise<User | 'usernameTaken' | UnknownCustomers> {
      return inTransaction(knex, async (trx) => {
        const { firmId, customers } = user;
        const unknownCustomers = await findUnknown(trx, firmId, customers);
        if (unknownCustomers.length > 0) return { unknownCustomers };
        const at = now();
        const row = {
          id: newObjectId(),
          firm_id: firmId,
          username: user.username,
          password_hash: user.passwordHash ?? null,
          access_level: user.accessLevel,
          sees_customers: seesCustomers(customers),
          created_on: at,
          updated_on: at,
        };
        const inserted = await trx('users').insert(row).onConflict().ignore().returning('id');
        if (inserted.length === 0) return 'usernameTaken';
        await assign(trx, row, customers);
        const created = await find(row.id, trx);
        if (created === undefined) throw new Error('The new user does not exist');
        return created;
      });
    },

    list: () => select('true', []),

    find: (id: string) => find(id),

    /**
     * Changes a user. A new password revokes the refresh tokens, and a trigger ends the ID tokens
     * (D-20). Returns undefined if there is no such user.
     */
    update(id: string, changes: UserChanges): Promise<User | undefined | UnknownCustomers> {
      const { passwordHash, accessLevel, customers } = changes;
      return inTransaction(knex, async (trx) => {
        const row = await trx('users').where({ id }).forNoKeyUpdate().first('id', 'firm_id');
        if (row === undefined) return undefined;
        const unknownCustomers = await findUnknown(trx, row.firm_id, customers ?? 'all');
        if (unknownCustomers.length > 0) return { unknownCustomers };
        await trx('users')
          .where({ id })
          .update({
            updated_on: now(),
            ...(passwordHash !== undefined && { password_hash: passwordHash }),
            ...(accessLevel !== undefined && { access_level: accessLevel }),
            ...(customers !== undefined && { sees_customers: seesCustomers(customers) }),
          });
        if (customers !== undefined) await assign(trx, row, customers);
        if (passwordHash !== undefined) await revokeRefreshTokens(trx, { id });
        return find(id, trx);
      });
    },

    /** Disables the user, which ends all tokens. Returns undefined if there is no such user. */
    disable(id: string): Promise<User | undefined> {
      return inTransaction(knex, async (trx) => {
        const at = now();
        await trx('users')
          .where({ id, disabled_on: null })
          .update({ disabled_on: at, updated_on: at });
        await revokeRefreshTokens(trx, { id });
        return find(id, trx);
      });
    },

    /**
     * Ends the sessions of a user, by id or username, who can sign in again (D-20). Returns
     * undefined if there is no such user.
     */
    signOut(user: string): Promise<User | undefined> {
      return inTransaction(knex, async (trx) => {
        const byName = `${folded('u.username')} = ${folded('?')}`;
        const found =
          (await find(user.toLowerCase(), trx)) ?? (await select(byName, [user], trx)).at(0);
        if (found !== undefined) await endSessions(trx, { id: found.id });
        return found;
      });
    },

    /** Finds the user with a username, in any letter case. */
    async findCredentials(username: string): Promise<Credentials | undefined> {
      type Row = Omit<Credentials, 'passwordHash'> & { readonly passwordHash: string | null };
      const { rows } = await knex.raw<{ rows: Row[] }>(
        `select u.id, u.firm_id as "firmId", u.password_hash as "passwordHash",
                u.token_version as "tokenVersion",
                case when u.disabled_on is not null then 'user'
                     when f.disabled_on is not null then 'firm' end as disabled, ${account}
           from users u join firms f on f.id = u.firm_id
          where ${folded('u.username')} = ${folded('?')}`,
        [username],
      );
      return rows.map((row) => ({ ...row, passwordHash: row.passwordHash ?? undefined }))[0];
    },

    async foldUsername(username: string): Promise<string> {
      const { rows } = await knex.raw<{ rows: [{ folded: string }] }>(
        `select ${folded('?')} as folded`,
        [username],
      );
      return rows[0].folded;
    },

    /** Returns the access of a user of a firm, unless the user or the firm is disabled. */
    async findAccess(id: string, firmId: string): Promise<Access | undefined> {
      const query = knex('users').join('firms', 'firms.id', 'users.firm_id');
      const enabled = { 'users.disabled_on': null, 'firms.disabled_on': null };
      const isUser = { 'users.id': id, 'users.firm_id': firmId };
      return query.where({ ...isUser, ...enabled }).first<Access | undefined>({
        accessLevel: 'access_level',
        seesCustomers: 'sees_customers',
        tokenVersion: 'token_version',
      });
    },
  };
}

/** Returns the SQL of a text in lower case, by the same rules in every database and locale. */
function folded(text: string): string {
  return `lower(${text} collate "und-x-icu")`;
}

/** Locks the customers that can be assigned, and returns the others. */
async function findUnknown(
  trx: Knex.Transaction,
  firmId: string,
  customers: CustomerAccess,
): Promise<string[]> {
  if (customers === 'all') return [];
  const known = await trx('customers as c')
    .where({ firm_id: firmId })
    .whereRaw(hasListedFiles)
    .whereIn('id', customers)
    .orderBy('id')
    .forShare()
    .pluck<string[]>('id');
  return customers.filter((id) => !known.includes(id));
}

/** Returns the customers that are assigned to users, in the order of their ids. */
async function readAssigned(
  knex: Knex,
  users: readonly Pick<User, 'id' | 'firmId'>[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (users.length === 0) return new Map();
  const { rows } = await knex.raw<{ rows: { id: string; customers: string[] }[] }>(
    `select user_id as id, array_agg(customer_id order by customer_id) as customers
       from user_customers where firm_id = any(?) and user_id = any(?) group by user_id`,
    [[...new Set(users.map(({ firmId }) => firmId))], users.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, customers }) => [id, customers]));
}

async function assign(
  trx: Knex.Transaction,
  { id: user_id, firm_id }: { readonly id: string; readonly firm_id: string },
  customers: CustomerAccess,
): Promise<void> {
  await trx('user_customers').where({ user_id, firm_id }).delete();
  if (customers === 'all' || customers.length === 0) return;
  await trx('user_customers').insert(
    [...new Set(customers)].map((customer_id) => ({ user_id, firm_id, customer_id })),
  );
}

function seesCustomers(customers: CustomerAccess): 'all' | 'assigned' {
  return customers === 'all' ? 'all' : 'assigned';
}
