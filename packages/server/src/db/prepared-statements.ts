import type { Knex } from 'knex';
import type pg from 'pg';

/*
 * Statements that PostgreSQL parses and plans once per connection, instead of for every call (L-09).
 */

/** How many texts are prepared. Each needs memory in every connection, and filters make many texts. */
const MAX_TEXTS = 50;

/** The name of each prepared text. */
const names = new Map<string, string>();

/**
 * Runs a statement that many calls send, each with other values. It must be fast with the same plan for all
 * of them, which PostgreSQL may use from the sixth time on. Beyond the limit of texts, it is not prepared.
 *
 * @param sql - names its columns: with `*` it would fail once a migration adds one
 */
export async function runPrepared<Row>(
  run: Knex,
  sql: string,
  bindings: readonly Knex.RawBinding[],
): Promise<Row[]> {
  if (!names.has(sql) && names.size < MAX_TEXTS) names.set(sql, `adx_${names.size}`);
  const name = names.get(sql);
  const statement = run.raw<{ rows: Row[] }>(sql, [...bindings]);
  return (await (name === undefined ? statement : statement.options({ name }))).rows;
}

/**
 * Makes a connection send every statement without a name, for a pooler such as PgBouncer, which may run the
 * next statement on another connection, where it was not prepared.
 */
export function prepareNothing(connection: pg.Client): void {
  const { query } = connection;
  const unnamed = (statement: unknown, ...rest: unknown[]): unknown => {
    const isConfig = typeof statement === 'object' && statement !== null && 'name' in statement;
    const sent = isConfig ? { ...statement, name: undefined } : statement;
    return Reflect.apply(query, connection, [sent, ...rest]);
  };
  Object.assign(connection, { query: unnamed });
}
