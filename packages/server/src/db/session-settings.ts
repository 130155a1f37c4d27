import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type pg from 'pg';

/** Timeouts of a connection, in ms; 0 disables one. */
export interface Timeouts {
  readonly statement: number;
  readonly lock: number;
  readonly idleInTransaction: number;
}

export const defaultTimeouts: Timeouts = {
  statement: 30_000,
  lock: 5_000,
  idleInTransaction: 30_000,
};

/** Returns the settings that statements rely on, by the names in `pg_settings`. */
const reliedSettings = ({ statement, lock, idleInTransaction }: Timeouts) => ({
  statement_timeout: String(statement),
  lock_timeout: String(lock),
  idle_in_transaction_session_timeout: String(idleInTransaction),
  idle_session_timeout: '0',
  // Only PostgreSQL 17 and later have it.
  transaction_timeout: '0',
  // The default, 4, is for hard disks: PostgreSQL reads a whole table where an index is faster.
  random_page_cost: '1.1',
  search_path: 'public',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
});

/** Other values that mean the same. */
const equivalents: Readonly<Record<string, RegExp>> = {
  DateStyle: /^ISO, /,
  TimeZone: /^(Etc\/)?(UTC|UCT|GMT|Universal|Zulu)$/,
  search_path: /^"\$user", public$/,
};

/**
 * Where the statements of a connection run: in a process of PostgreSQL of its own, or behind a
 * pooler, in the process that is free. A pooler `keepsNames` of prepared statements in each process
 * where they are used, as PgBouncer does from 1.21 on, or `losesNames`.
 */
export interface ConnectionKind {
  readonly pooling: 'direct' | 'keepsNames' | 'losesNames';
  /** Where a table has its rows: in partitions (D-68), or on the nodes of a cluster (D-72). */
  readonly rows: 'together' | 'inPartitions' | 'onNodes';
}

/**
 * Sets what statements rely on, whatever the defaults of the role, the database and the server are.
 * Not as parameters of the connection, which PgBouncer refuses. A pooler tells a client a number of
 * its own instead of that of the process. Nothing is set on its connections, because others use
 * them too ({@link requireSettings}).
 */
export async function setSettings(
  connection: pg.ClientBase,
  timeouts: Timeouts,
): Promise<ConnectionKind> {
  const values = Object.entries(reliedSettings(timeouts)).map(
    ([name, value]) => `('${name}', '${value}')`,
  );
  const isPooled = `pg_backend_pid() <> ${Object(connection).processID}`;
  // A transaction also has the connection of a pooler, for a short time.
  const results: unknown = await connection.query(
    `begin isolation level read committed; set local statement_timeout = 10000;
     select bool_or(${isPooled}) as "isPooled", count(set_config(name, value, ${isPooled})),
            case when to_regclass('pg_catalog.pg_dist_partition') is not null then 'onNodes'
                 when exists (select from pg_partitioned_table
                               where partrelid = to_regclass('public.files')) then 'inPartitions'
                 else 'together' end as rows
       from pg_settings join (values ${values.join(', ')}) as relied (name, value) using (name);
     commit`,
  );
  const answers: readonly pg.QueryResult[] = Array.isArray(results) ? results : [];
  const [found] = answers.flatMap(({ rows }) => rows);
  if (!found.isPooled) return { pooling: 'direct', rows: found.rows };
  const pooling = (await keepsNames(connection)) ? 'keepsNames' : 'losesNames';
  return { pooling, rows: found.rows };
}

/**
 * Returns true if a pooler gives prepared statements names of its own, so that it knows them. The
 * others pass on the name. The transaction has one process, in which it removes it again: another
 * client could not use the name there.
 */
async function keepsNames(connection: pg.ClientBase): Promise<boolean> {
  const name = `adx_probe_${randomBytes(8).toString('hex')}`;
  await connection.query('begin');
  const { rows } = await connection.query<{ isRenamed: boolean | null }>({
    name,
    // It finds itself. Without a row it is not in this process.
    text: `select bool_and(name not like 'adx\\_probe\\_%') as "isRenamed"
             from pg_prepared_statements where strpos(statement, 'adx\\_probe\\_%') > 0`,
  });
  const isRenamed = rows[0]?.isRenamed === true;
  await connection.query(isRenamed ? 'commit' : `deallocate ${name}; commit`);
  return isRenamed;
}

/** @throws SettingsError if the connections of a pooler have other settings */
export async function requireSettings(
  knex: Knex,
  urlOf: 'DATABASE_URL' | 'DATABASE_READ_URL' = 'DATABASE_URL',
): Promise<void> {
  const relied: Readonly<Record<string, string>> = reliedSettings(defaultTimeouts);
  const { rows } = await knex.raw<{ rows: { name: string; setting: string; owner: string }[] }>(
    `select name, setting, format('%I in database %I', current_user, current_database()) as owner
       from pg_settings where name = any(?)`,
    [Object.keys(relied)],
  );
  const others = rows.filter(
    ({ name, setting }) => setting !== relied[name] && !equivalents[name]?.test(setting),
  );
  if (others.length === 0) return;
  const found = others.map(({ name, setting }) => `${name} = '${setting}'`);
  const mended = others.map(
    ({ name, owner }) => `alter role ${owner} set ${name} = '${relied[name]}';`,
  );
  throw new SettingsError(
    `The pooler of ${urlOf} gives connections with ${found.join(', ')}.`,
    `Run this in psql, and then RECONNECT in PgBouncer: ${mended.join(' ')}`,
  );
}

export class SettingsError extends Error {
  readonly found: string;
  readonly advice: string;

  constructor(found: string, advice: string) {
    super(`${found} ${advice}`);
    this.found = found;
    this.advice = advice;
  }
}

/** SQLSTATE of a statement that is refused because the server is read-only. */
export const readOnlyState = /^25006$/;
/** SQLSTATEs with which PostgreSQL ends a connection: a shutdown, a crash, or an administrator. */
export const endedState = /^57P0[1-5]$/;

/** SQLSTATE of a prepared statement whose result has other columns since a migration. */
export const stalePlanState = /^0A000$/;

/** Calls a function whenever PostgreSQL reports an error with such an SQLSTATE. */
export function onError(connection: pg.ClientBase, state: RegExp, listener: () => void): void {
  // The library types the connection of the protocol for some clients only.
  Object(connection).connection.on('errorMessage', ({ code = '' }: { readonly code?: string }) => {
    if (state.test(code)) listener();
  });
}
