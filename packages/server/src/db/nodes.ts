import type { Knex } from 'knex';
import { createKnex, type KnexOptions } from './knex.js';
import { inTransactionOnce } from './transaction.js';
import { isUnavailable } from './unavailable.js';

/** How long a node may take to accept a connection, and then to answer, in ms. */
const RESPONSE_MS = 1_000;

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

/** Asks each node whether it responds, also the coordinator. */
export async function readNodes(knex: Knex): Promise<DatabaseNode[]> {
  const all = `select n.nodeid as id, asked.success as responds
                 from run_command_on_all_nodes('select 1') asked
                 join pg_dist_node n on n.nodeid = asked.nodeid
                order by n.nodeid`;
  return askNodes(knex, all, 2 * RESPONSE_MS).catch(endedByTimeout(() => askEach(knex)));
}

/** Asks one node after the other, because one of them accepts connections and does not answer. */
async function askEach(knex: Knex): Promise<DatabaseNode[]> {
  const { rows: nodes } = await knex.raw<{ rows: { id: number }[] }>(
    `select nodeid as id from pg_dist_node where isactive and noderole = 'primary' order by nodeid`,
  );
  const one = `select nodeid as id, asked.success as responds
                 from pg_dist_node n, lateral master_run_on_worker(
                        array[n.nodename], array[n.nodeport], array['select 1'], true) asked
                where nodeid = ?`;
  const found: DatabaseNode[] = [];
  for (const { id } of nodes) {
    const away = [{ id, responds: false }];
    found.push(...(await askNodes(knex, one, RESPONSE_MS, [id]).catch(endedByTimeout(() => away))));
  }
  return found;
}

function askNodes(
  knex: Knex,
  question: string,
  timeoutMs: number,
  bindings: readonly number[] = [],
): Promise<DatabaseNode[]> {
  return inTransactionOnce(knex, async (trx) => {
    await trx.raw(`set local citus.node_connection_timeout = ${RESPONSE_MS}`);
    await trx.raw(`set local statement_timeout = ${timeoutMs}`);
    const { rows } = await trx.raw<{ rows: DatabaseNode[] }>(question, [...bindings]);
    return rows;
  });
}

/** Continues after a statement that the database has ended, and throws other errors. */
const endedByTimeout =
  <Result>(next: () => Result) =>
  (error: unknown): Result => {
    if (Object(error).code === '57014') return next();
    throw error;
  };

/** The longest time that the coordinator may take to say anything, in ms. */
const ANSWER_MS = 5_000;

/**
 * How long statements are ended that wait for a node which has stopped responding, in ms: what
 * waited for a connection meanwhile may take one and wait for the node in turn.
 */
const ENDING_MS = 15_000;

/** The nodes of the database, as a process last found them. */
export interface Nodes {
  /** Returns what was last found; nothing if the database is one server. */
  found(): readonly DatabaseNode[];

  /** Returns true if all respond. */
  isWhole(): boolean;

  /**
   * @throws Error that names the nodes that do not respond, by their numbers, or says that they
   *   could not be asked
   */
  check(): void;

  /**
   * Refuses at once what would wait for a node that does not respond, so that firms of other nodes
   * get the connection.
   *
   * @throws NodesAwayError if the node of the firm did not respond
   */
  require(firmId: string): void;

  /**
   * Does work for items of several firms at once, without those of a node that does not respond.
   *
   * @param firmsOf - returns the firm of each item
   */
  leaveOut<Item, Result>(
    items: readonly Item[],
    firmsOf: (items: readonly Item[]) => readonly string[] | Promise<readonly string[]>,
    work: (items: readonly Item[]) => Promise<Result>,
  ): Promise<Done<Item, Result>>;

  close(): Promise<void>;
}

interface Done<Item, Result> {
  /** Undefined if all items were left out. */
  readonly result: Result | undefined;
  readonly failed: readonly Item[];
  /** The reason why some were left out. */
  readonly failure?: Error;
}

/** The database is one server, without which nothing works. */
export const oneServer: Nodes = {
  found: () => [],
  isWhole: () => true,
  check() {},
  require() {},
  leaveOut: async (items, _, work) => ({ result: await work(items), failed: [] }),
  async close() {},
};

/** Some nodes do not respond. It has the SQLSTATE of a lost connection. */
class NodesAwayError extends Error {
  readonly code = '08006';

  constructor(away: readonly DatabaseNode[]) {
    const ids = away.map(({ id }) => id).join(', ');
    super(`No response from node ${ids}, so its firms have no service`);
  }
}

/**
 * Asks the nodes every few seconds whether they respond, on a connection that nothing else uses
 * (D-72).
 *
 * @param options.onLost - called at each look of the 15 seconds after a node has stopped responding
 */
export function watchNodes(
  url: string,
  {
    everyMs = 5_000,
    onLost = () => {},
    ...options
  }: { readonly everyMs?: number; readonly onLost?: () => void } & KnexOptions = {},
): Nodes {
  const closing = new AbortController();
  const { signal } = closing;
  const knex = createKnex(url, { ...options, poolSize: 1, statementTimeoutMs: ANSWER_MS, signal });
  let known: readonly DatabaseNode[] = [];
  let lostAt = Number.NEGATIVE_INFINITY;
  let lost: ReadonlySet<string> = new Set();
  let failure: Error | undefined;
  let looking: Promise<void> | undefined;
  const away = () => awayOf(known);

  async function ask(): Promise<void> {
    const isNew = ({ id }: DatabaseNode) => away().every((other) => other.id !== id);
    let found = await readNodes(knex);
    // A node that was only slow responds the second time.
    if (awayOf(found).some(isNew)) found = await readNodes(knex);
    if (awayOf(found).some(isNew)) lostAt = performance.now();
    lost = awayOf(found).length === 0 ? new Set() : await firmsOn(knex, awayOf(found));
    known = found;
    failure = undefined;
    if (performance.now() - lostAt < ENDING_MS) onLost();
  }

  /** Asks them, unless they are being asked. */
  function look(): Promise<void> {
    looking ??= ask()
      .catch((cause: unknown) => {
        failure = new Error('The coordinator cannot ask the nodes', { cause });
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  void look();
  const timer = setInterval(look, everyMs).unref();

  return {
    found: () => known,
    isWhole: () => away().length === 0,

    check() {
      if (failure !== undefined) throw failure;
      if (away().length > 0) throw new NodesAwayError(away());
    },

    require(firmId) {
      if (lost.has(firmId)) throw new NodesAwayError(away());
    },

    async leaveOut(items, firmsOf, work) {
      for (;;) {
        const before = lost;
        const firms = before.size === 0 ? [] : await firmsOf(items);
        const isLost = (_: unknown, index: number) => before.has(firms[index] ?? '');
        const failed = before.size === 0 ? [] : items.filter(isLost);
        const rest =
          failed.length === 0 ? items : items.filter((item, index) => !isLost(item, index));
        const because = failed.length === 0 ? {} : { failure: new NodesAwayError(away()) };
        try {
          const result = rest.length === 0 ? undefined : await work(rest);
          return { result, failed, ...because };
        } catch (error) {
          if (!isUnavailable(error)) throw error;
          await look();
          if ([...lost].every((firm) => before.has(firm))) throw error;
        }
      }
    },

    async close() {
      clearInterval(timer);
      closing.abort();
      await looking;
      await knex.destroy();
    },
  };
}

const awayOf = (nodes: readonly DatabaseNode[]) => nodes.filter(({ responds }) => !responds);

/** Returns the ids of the firms on some nodes, also the empty one of what belongs to no firm. */
export async function firmsOn(
  knex: Knex,
  nodes: readonly Pick<DatabaseNode, 'id'>[],
): Promise<ReadonlySet<string>> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `select f.id from (select id from firms union all select '') f
       join pg_dist_placement p
         on p.shardid = get_shard_id_for_distribution_column('customers', f.id)
       join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      where n.nodeid = any(?)`,
    [nodes.map(({ id }) => id)],
  );
  return new Set(rows.map(({ id }) => id));
}
