import type { Knex } from 'knex';
import { eventually } from '../../../../test/support/eventually.js';
import { citusUrl } from '../support/citus-databases.js';

const blocked = `select count(*)::int from pg_stat_activity
                  where datname = current_database() and wait_event_type = 'Lock'`;
/** A statement that waits on a node does not wait for a lock on the coordinator. */
const onNodes = `select sum(result::int)::int as count from run_command_on_all_nodes($$${blocked}$$)`;

/** Resolves once as many statements wait for locks. */
export async function waitUntilBlocked(knex: Knex, count = 1): Promise<void> {
  let most = 0;
  await eventually(async () => {
    const { rows } = await knex.raw(citusUrl === undefined ? blocked : onNodes);
    most = Math.max(most, rows[0].count);
    if (most >= count) return true;
    throw new Error(
      `Only ${most} of ${count} calls were blocked at once: is the pool of connections large enough?`,
    );
  });
}
