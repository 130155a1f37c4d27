import pg from 'pg';
import { eventually } from '../../../../test/support/eventually.js';
import { distributed } from '../../src/db/distribution.js';
import { createKnex } from '../../src/db/knex.js';
import { migrate } from '../../src/db/migrate.js';
import { allMigrations } from '../../src/db/migrations/all-migrations.js';

/** The URL of a coordinator of Citus, on which proofs create their databases. */
export const citusUrl = process.env['TEST_CITUS_URL'];

/** The address of a server of a cluster. */
export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Creates a database on each node of a cluster, with the tables distributed by firm.
 *
 * @param options.reachedAt - returns the address at which the others reach a worker node
 * @param options.isLeftOut - true for a worker node that is not added
 */
export async function createDistributed(
  coordinatorUrl: string,
  name: string,
  options: {
    readonly reachedAt?: (node: NodeAddress) => Promise<NodeAddress>;
    readonly isLeftOut?: (index: number) => boolean;
  } = {},
): Promise<string> {
  const { reachedAt = async (node) => node, isLeftOut = () => false } = options;
  const [coordinator, ...workers] = await nodesOf(coordinatorUrl);
  if (coordinator === undefined) throw new Error('The cluster has no coordinator');
  for (const node of [coordinator, ...workers]) {
    const url = urlOf(coordinatorUrl, node);
    await run(url, `create database ${name} template template0 encoding 'UTF8' locale 'C'`);
    await run(inDatabase(url, name), 'create extension citus');
  }
  const url = inDatabase(coordinatorUrl, name);
  await run(url, `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`);
  for (const [index, worker] of workers.entries()) {
    const { host, port } = await reachedAt(worker);
    if (!isLeftOut(index)) await addNode(url, { host, port });
  }
  await run(url, `alter database ${name} set citus.shard_count = 2`);
  const knex = createKnex(url, { poolSize: 1, statementTimeoutMs: 0 });
  try {
    await migrate(knex, distributed(allMigrations));
  } finally {
    await knex.destroy();
  }
  return url;
}

/** Adds a node. A new database may not accept connections from the coordinator yet. */
export async function addNode(url: string, { host, port }: NodeAddress): Promise<void> {
  await eventually(async () => {
    await run(url, `select citus_add_node('${host}', ${port})`);
    return true;
  });
}

async function nodesOf(url: string): Promise<NodeAddress[]> {
  const { rows } = await run<NodeAddress & pg.QueryResultRow>(
    url,
    'select nodename as host, nodeport as port from pg_dist_node order by groupid',
  );
  return rows;
}

function urlOf(coordinatorUrl: string, { host, port }: NodeAddress): string {
  return Object.assign(new URL(coordinatorUrl), { hostname: host, port: String(port) }).href;
}

/** Drops the database on each node of the cluster. */
export async function dropDistributed(coordinatorUrl: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  for (const node of await nodesOf(coordinatorUrl)) {
    await run(urlOf(coordinatorUrl, node), `drop database if exists ${name} with (force)`);
  }
}

/** Deletes the rows of tables on each node, without triggers and checks. */
export function emptyOnNodes(tables: readonly string[]): string {
  return `select run_command_on_all_nodes($command$ do $$ declare shard regclass; begin
    set local session_replication_role = replica;
    set local citus.enable_manual_changes_to_shards = on;
    for shard in select to_regclass(logicalrelid::text || '_' || shardid) from pg_dist_shard
                  where logicalrelid::text = any ('{${tables.map((each) => each.replace('public.', '')).join(',')}}')
    loop
      if shard is not null then execute 'delete from ' || shard; end if;
    end loop;
  end $$ $command$);`;
}

function inDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: name }).href;
}

async function run<Row extends pg.QueryResultRow>(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<Row>(sql);
  } finally {
    await client.end();
  }
}
