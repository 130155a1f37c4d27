import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { isDistributed } from '../db/nodes.js';

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
  return !(await isDistributed(knex)) || untilCommitted(knex);
}

/** Waits for the nodes of a distributed database. */
export async function untilCommitted(knex: Knex): Promise<boolean> {
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
