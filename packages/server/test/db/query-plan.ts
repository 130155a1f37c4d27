import type { Knex } from 'knex';
import pg from 'pg';

/** A node of a query plan, as `explain (format json)` returns it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Scan Direction'?: string;
  /** The rows that each loop returned, and the number of loops; only with `analyze`. */
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  /** The average size of a row, in bytes. */
  readonly 'Plan Width': number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Runs work that asks one query, and returns its plan, in which partitions and their indexes have
 * the names of what they are parts of. A prepared query has the plan for all values.
 *
 * @param options.analyze - executes the query, for the numbers of rows
 * @param options.of - which query, if the work asks several
 */
export async function planOf(
  knex: Knex,
  work: () => Promise<unknown>,
  {
    analyze = false,
    of = 'only',
  }: { readonly analyze?: boolean; readonly of?: 'only' | 'first' | 'last' } = {},
): Promise<PlanNode> {
  const asked = await queriesOf(work);
  const query = of === 'last' ? asked.at(-1) : asked[0];
  if (query === undefined || (of === 'only' && asked.length > 1)) {
    throw new Error(`${asked.length} queries were asked`);
  }
  const connection = await knex.client.acquireConnection();
  const explain = `explain (format json, analyze ${analyze})`;
  const { rows } = await (query.name === undefined
    ? connection.query(`${explain} ${query.text}`, query.values)
    : explainPrepared(connection, explain, query));
  const { rows: parts } = await connection.query(
    `select part.relname as name, whole.relname as whole
       from pg_inherits join pg_class part on part.oid = inhrelid
       join pg_class whole on whole.oid = inhparent`,
  );
  await knex.client.releaseConnection(connection);
  const wholes = new Map<unknown, string>(
    parts.map(({ name, whole }: { name: string; whole: string }) => [name, whole]),
  );
  const plan = JSON.stringify(rows[0]['QUERY PLAN'][0].Plan);
  return JSON.parse(plan, (_, value) => wholes.get(value) ?? value);
}

/** Explains a query that this connection has prepared, because it was just asked there. */
async function explainPrepared(
  connection: pg.ClientBase,
  explain: string,
  { name = '', values = [] }: pg.QueryConfig,
): Promise<pg.QueryResult> {
  await connection.query(`set plan_cache_mode = 'force_generic_plan'`);
  try {
    return await connection.query(`${explain} ${execution(name, values)}`);
  } finally {
    await connection.query('reset plan_cache_mode');
  }
}

/** Returns the statement that executes a prepared one. */
export function execution(name: string, values: readonly unknown[]): string {
  return `execute ${name}${values.length === 0 ? '' : ` (${values.map(literalOf)})`}`;
}

/** Returns a value of a statement as PostgreSQL reads it in a text. */
function literalOf(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  const isList = Array.isArray(value);
  const text = isList ? `{${value.map((each) => JSON.stringify(each))}}` : String(value);
  return pg.escapeLiteral(text);
}

/** Returns the queries that work sends, as the driver sends them: prepared ones pass by knex. */
async function queriesOf(work: () => Promise<unknown>): Promise<pg.QueryConfig[]> {
  const asked: pg.QueryConfig[] = [];
  const { query } = pg.Client.prototype;
  function listen(this: pg.Client, ...parameters: unknown[]): unknown {
    const [config] = parameters;
    // A text alone is that of a transaction, or of the settings of a new connection.
    if (typeof config === 'object') asked.push(config as pg.QueryConfig);
    return Reflect.apply(query, this, parameters);
  }
  Object.assign(pg.Client.prototype, { query: listen });
  try {
    await work();
  } finally {
    Object.assign(pg.Client.prototype, { query });
  }
  return asked;
}

/** Returns a node and all below it. */
export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Returns the node that limits a search to its page. */
export function pageOf(plan: PlanNode): PlanNode {
  const limit = nodesOf(plan).find((node) => node['Node Type'] === 'Limit');
  if (limit === undefined) throw new Error('The plan has no page');
  return limit;
}
