import type { Knex } from 'knex';
import { onTestFinished } from 'vitest';
import { type Nodes, watchNodes } from '../../src/db/nodes.js';

interface NodeAway {
  readonly nodes: Nodes;
  /** Returns how often the node was asked for rows of the table. */
  tries(): Promise<number>;
  restore(): Promise<void>;
  /** From now on the node accepts connections, but never answers a statement. */
  silence(): Promise<void>;
}

/**
 * Makes rows of a firm fail as on a node of a cluster that does not respond (D-72): the database
 * itself reports a connection failure, and has the catalogs in which Citus says what is where.
 */
export async function takeNodeAway(
  { knex, url }: { readonly knex: Knex; readonly url: string },
  table: string,
  firmId: string,
  onLost: () => void = () => {},
): Promise<NodeAway> {
  await knex.raw(`
    create table pg_dist_node (nodeid integer, groupid integer, noderole text, isactive boolean,
                               nodename text, nodeport integer, is_up boolean, is_silent boolean);
    insert into pg_dist_node values
      (1, 1, 'primary', true, 'one', 1, true, false), (2, 2, 'primary', true, 'two', 2, false, false);
    create table pg_dist_placement (shardid bigint, groupid integer);
    insert into pg_dist_placement values (0, 1), (1, 2);
    create function get_shard_id_for_distribution_column(of_table text, firm text) returns bigint
      language sql return (firm = '${firmId}')::integer;
    create function run_command_on_all_nodes(command text)
      returns table (nodeid integer, success boolean) language sql as
      'select nodeid, is_up from pg_dist_node, pg_sleep(case when is_silent then 60 else 0 end)';
    create function master_run_on_worker(names text[], ports integer[], commands text[], at_once boolean)
      returns table (success boolean) language sql as
      'select is_up from pg_dist_node, pg_sleep(case when is_silent then 60 else 0 end)
        where nodeport = ports[1]';
    create sequence tries_of_node minvalue 0;
    create function away() returns trigger language plpgsql as $$ begin
      perform nextval('tries_of_node');
      raise exception 'no connection' using errcode = '08006';
    end $$;
    create trigger away before insert on ${table}
      for each row when (new.firm_id = '${firmId}') execute function away()`);
  const nodes = watchNodes(url, { everyMs: 100, onLost });
  onTestFinished(async () => {
    await nodes.close();
    await knex.raw(`
      drop function if exists away() cascade;
      drop sequence tries_of_node;
      drop function run_command_on_all_nodes, master_run_on_worker,
                    get_shard_id_for_distribution_column;
      drop table pg_dist_node, pg_dist_placement`);
  });
  return {
    nodes,
    async tries() {
      const { rows } = await knex.raw(
        'select last_value + is_called::integer as tries from tries_of_node',
      );
      return Number(rows[0].tries);
    },
    async restore() {
      await knex.raw(`drop function if exists away() cascade;
                      update pg_dist_node set is_up = true, is_silent = false`);
    },
    async silence() {
      await knex.raw('update pg_dist_node set is_silent = true where nodeid = 2');
    },
  };
}
