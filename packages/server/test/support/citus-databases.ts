import pg from 'pg';
import { distributed } from '../../src/db/distribution.js';
import { createKnex } from '../../src/db/knex.js';
import { migrate } from '../../src/db/migrate.js';
import { allMigrations } from '../../src/db/migrations/all-migrations.js';

/** The URL of a coordinator of Citus, on which proofs create their databases. */
export const citusUrl = process.env['TEST_CITUS_URL'];

/** Creates a database on each node of a cluster, with the tables distributed by firm. */
export async function createDistributed(coordinatorUrl: string, name: string): Promise<string> {
  const { rows: nodes } = await run<{ host: string; port: number; is_coordinator: boolean }>(
    coordinatorUrl,
    `select nodename as host, nodeport as port, groupid = 0 as is_coordinator
       from pg_dist_node order by groupid`,
  );
  const urls = nodes.map(({ host, port }) =>
    Object.assign(new URL(coordinatorUrl), { hostname: host, port: String(port) }),
  );
  await Promise.all(
    urls.map(async (url) => {
      await run(url.href, `create database ${name} template template0 encoding 'UTF8' locale 'C'`);
      await run(inDatabase(url.href, name), 'create extension citus');
    }),
  );
  const url = inDatabase(coordinatorUrl, name);
  for (const { host, port, is_coordinator } of nodes) {
    const call = is_coordinator ? 'citus_set_coordinator_host' : 'citus_add_node';
    await run(url, `select ${call}('${host}', ${port})`);
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

export async function dropDistributed(url: string): Promise<void> {
  const { rows } = await run<{ host: string; port: number }>(
    url,
    'select nodename as host, nodeport as port from pg_dist_node',
  );
  const name = new URL(url).pathname.slice(1);
  for (const { host, port } of rows) {
    const node = Object.assign(new URL(url), { hostname: host, port: String(port) });
    await run(inDatabase(node.href, 'postgres'), `drop database if exists ${name} with (force)`);
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
