import { type Check, ok, problem } from '@adx/command/check';
import type { Knex } from 'knex';
import { isDistributed, readNodes } from '../../db/nodes.js';

/** Asks each node of a distributed database whether it responds (D-72). */
export async function checkCluster(knex: Knex): Promise<Check[]> {
  if (!(await isDistributed(knex))) return [];
  const nodes = await readNodes(knex);
  const away = nodes.filter(({ responds }) => !responds).map(({ id }) => id);
  if (away.length === 0) return [ok('cluster', `all ${nodes.length} nodes respond`)];
  const firms = await countFirms(knex, away);
  return [
    problem(
      'cluster',
      `no response from node ${away.join(', ')}, so ${firms === 1 ? 'a firm has' : `${firms} firms have`} no service`,
      'Start the node, or let its standby take its place: see "Several database servers".',
    ),
  ];
}

async function countFirms(knex: Knex, nodes: readonly number[]): Promise<number> {
  const { rows } = await knex.raw<{ rows: [{ count: number }] }>(
    `select count(*)::int
       from firms f
       join pg_dist_placement p
         on p.shardid = get_shard_id_for_distribution_column('customers', f.id)
       join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      where n.nodeid = any(?)`,
    [[...nodes]],
  );
  return rows[0].count;
}
