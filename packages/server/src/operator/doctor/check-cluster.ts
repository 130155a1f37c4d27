import { type Check, ok, problem } from '@adx/command/check';
import type { Knex } from 'knex';
import { firmsOn, isDistributed, readNodes } from '../../db/nodes.js';

/** Asks each node of a distributed database whether it responds (D-72). */
export async function checkCluster(knex: Knex): Promise<Check[]> {
  if (!(await isDistributed(knex))) return [];
  const nodes = await readNodes(knex);
  const away = nodes.filter(({ responds }) => !responds);
  if (away.length === 0) return [ok('cluster', `all ${nodes.length} nodes respond`)];
  const firms = [...(await firmsOn(knex, away))].filter((id) => id !== '').length;
  return [
    problem(
      'cluster',
      `no response from node ${away.map(({ id }) => id).join(', ')}, so ${firms === 1 ? 'a firm has' : `${firms} firms have`} no service`,
      'Start the node, or let its standby take its place: see "Several database servers".',
    ),
  ];
}
