import type { Knex } from 'knex';
import type pg from 'pg';

/*
 * Statements that PostgreSQL parses and plans once per connection, instead of for every call
 * (L-09).
 */

/**
 * The prepared texts, by those with `?`. They are few, because each needs memory in every
 * connection.
 */
const prepared = new Map<string, PreparedText>();

interface PreparedText {
  readonly name: string;
  readonly text: string;
  readonly isLimited: boolean;
}

interface Query {
  readonly sql: string;
  readonly bindings: readonly Knex.RawBinding[];
}

/** Runs a statement that has many forms, or whose best plan depends on its values. */
export async function runUnprepared<Row>(run: Knex, { sql, bindings }: Query): Promise<Row[]> {
  return (await run.raw<{ rows: Row[] }>(sql, [...bindings])).rows;
}

/**
 * Runs a statement that many calls send. It must be fast with the same plan for all values, which
 * PostgreSQL may use from the sixth time on.
 *
 * @param query.sql - a text of which there are few forms. The columns of its result are fixed: with
 *   `*` of a table it would fail once a migration adds one
 */
export async function runPrepared<Row>(run: Knex, { sql, bindings }: Query): Promise<Row[]> {
  const { name, text, isLimited } = prepared.get(sql) ?? prepare(sql);
  // Within a transaction, knex refuses what comes after its end.
  if (run.isTransaction) {
    const inOrder = run.raw<{ rows: Row[] }>(sql, [...bindings]).options({ name });
    return (await inOrder).rows;
  }
  // knex would read the text for placeholders at each call, which takes longer than sending it.
  const connection: pg.ClientBase = await run.client.acquireConnection();
  try {
    const statement = { name, text, values: [...bindings] };
    const misjudged = misjudgedOn.get(connection);
    const { rows } =
      misjudged === 'all' || (misjudged === 'limited' && isLimited)
        ? await sendPlannedOnce(connection, statement)
        : await connection.query(statement);
    return rows;
  } finally {
    await run.client.releaseConnection(connection);
  }
}

/** Gives a text its name, and the placeholders of PostgreSQL as knex does. */
function prepare(sql: string) {
  let values = 0;
  const text = sql.replaceAll(/\\?\?/g, (found) => (found === '?' ? `$${++values}` : '?'));
  const statement = { name: `adx_${prepared.size}`, text, isLimited: sql.includes('limit ?') };
  prepared.set(sql, statement);
  return statement;
}

/**
 * The statements whose plan for all values PostgreSQL misjudges: it expects that one to read a
 * tenth of the rows up to a limit, and every partition of a table. So it would plan each call anew,
 * which takes as long as the call.
 */
type Misjudged = 'limited' | 'all';

const misjudgedOn = new WeakMap<pg.ClientBase, Misjudged>();

/** Has these statements planned once for all values. */
export function planOnce(connection: pg.ClientBase, misjudged: Misjudged): void {
  misjudgedOn.set(connection, misjudged);
}

/** The setting ends with the transaction, because the next client of a pooler must not have it. */
async function sendPlannedOnce(
  connection: pg.ClientBase,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult> {
  // All three go in one round trip.
  Object.assign(connection, { pipeline: true });
  try {
    // Such a plan may look so costly that PostgreSQL would compile it, for each call.
    const begun = connection.query(
      `begin; set local plan_cache_mode = 'force_generic_plan'; set local jit = off`,
    );
    const sent = connection.query(statement);
    const ended = connection.query('commit');
    await Promise.allSettled([begun, sent, ended]);
    await begun;
    const result = await sent;
    await ended;
    return result;
  } finally {
    Object.assign(connection, { pipeline: false });
  }
}

/**
 * Sends statements without a name, for a pooler such as PgBouncer, which may run the next statement
 * on another connection, where it was not prepared.
 */
export function prepareNothing(connection: pg.ClientBase): void {
  const { query } = connection;
  const unnamed = (statement: unknown, ...rest: unknown[]): unknown => {
    const isConfig = typeof statement === 'object' && statement !== null && 'name' in statement;
    const sent = isConfig ? { ...statement, name: undefined } : statement;
    return Reflect.apply(query, connection, [sent, ...rest]);
  };
  Object.assign(connection, { query: unnamed });
}
