import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { inTransactionOnce } from './transaction.js';
import { isNodeFailure } from './unavailable.js';

/** How long a node may take to accept a connection, in ms. */
const CONNECT_MS = 1_000;

/** A server of the database among which Citus distributes the firms (D-72). */
export interface DatabaseNode {
  /** Its number in `pg_dist_node`, which stays when a standby takes its place. */
  readonly id: number;
  readonly responds: boolean;
}

export async function hasCitus(knex: Knex): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: [{ has: boolean }] }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as has`,
  );
  return rows[0].has;
}

/** Returns true if the rows of firms are distributed over several servers. */
export async function isDistributed(knex: Knex): Promise<boolean> {
  if (!(await hasCitus(knex))) return false;
  const { rows: found } = await knex.raw<{ rows: unknown[] }>(
    `select from pg_dist_partition where logicalrelid = to_regclass('customers')`,
  );
  return found.length > 0;
}

/** Asks each node that has rows of firms whether it responds. */
export async function readNodes(knex: Knex): Promise<DatabaseNode[]> {
  return inTransactionOnce(knex, async (trx) => {
    await trx.raw(`set local citus.node_connection_timeout = ${CONNECT_MS}`);
    const { rows } = await trx.raw<{ rows: DatabaseNode[] }>(
      `select n.nodeid as id, asked.success as responds
         from run_command_on_all_nodes('select 1') asked
         join pg_dist_node n on n.nodeid = asked.nodeid
        order by n.nodeid`,
    );
    return rows;
  });
}

/** @throws Error that names the nodes that do not respond, by their numbers */
export async function checkNodes(knex: Knex): Promise<void> {
  const away = (await readNodes(knex)).filter(({ responds }) => !responds);
  if (away.length === 0) return;
  const ids = away.map(({ id }) => id).join(', ');
  throw new Error(`No response from node ${ids}, so its firms have no service`);
}

/** The pause between two looks at what is prepared, in ms, and the number of looks. */
const WAIT_MS = 50;
const WAITS = 20;

/**
 * Waits until all nodes show what was committed before. A transaction that changed rows on several
 * is first prepared on each, then committed by the coordinator, and only then by the others.
 *
 * @returns false if some were not committed within a second, or a node does not respond
 */
export async function waitForNodes(knex: Knex): Promise<boolean> {
  if (!(await isDistributed(knex))) return true;
  let left = await preparedOnNodes(knex);
  for (let waited = 0; left !== undefined && left.length > 0 && waited < WAITS; waited += 1) {
    await pause(WAIT_MS);
    const prepared = await preparedOnNodes(knex);
    left = prepared && left.filter((each) => prepared.includes(each));
  }
  return left?.length === 0;
}

/**
 * Returns the names of the transactions of this database that are prepared on any node; undefined
 * if a node does not respond.
 */
async function preparedOnNodes(knex: Knex): Promise<string[] | undefined> {
  const { rows } = await knex.raw<{ rows: { prepared: string[] | null }[] }>(
    `select case when success then result::json end as prepared
       from run_command_on_all_nodes($$
         select coalesce(json_agg(gid), '[]') from pg_prepared_xacts
          where database = current_database() $$)`,
  );
  const found = rows.flatMap(({ prepared }) => prepared);
  return found.every((name) => name !== null) ? found : undefined;
}

interface Done<Item, Result> {
  /** One result, or one for each firm. */
  readonly results: readonly Result[];
  readonly failed: readonly Item[];
  /** The reason why some failed. */
  readonly failure?: unknown;
}

/**
 * Does the work for items of several firms. If a node does not respond, each firm has its turn by
 * itself, so that those of the node keep no others waiting (D-72).
 *
 * @param firmOf - the firm, or what says as much
 * @throws what the work for all firms at once throws for any other reason
 */
export async function firmByFirm<Item, Result>(
  items: readonly Item[],
  firmOf: (item: Item) => string | undefined,
  work: (items: readonly Item[]) => Promise<Result>,
): Promise<Done<Item, Result>> {
  try {
    return { results: [await work(items)], failed: [] };
  } catch (error) {
    if (!isNodeFailure(error)) throw error;
  }
  const results: Result[] = [];
  const failed: Item[] = [];
  let failure: unknown;
  for (const firm of new Set(items.map(firmOf))) {
    const ofFirm = items.filter((item) => firmOf(item) === firm);
    try {
      results.push(await work(ofFirm));
    } catch (error) {
      // Whatever it is: the work of the firms before is done, and must not be done again.
      failed.push(...ofFirm);
      failure = error;
    }
  }
  return { results, failed, failure };
}

/** Returns undefined if a node does not respond, for what may also be left out (D-72). */
export function unlessNodeIsAway<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return work.catch((error: unknown) => {
    if (!isNodeFailure(error)) throw error;
    return undefined;
  });
}
