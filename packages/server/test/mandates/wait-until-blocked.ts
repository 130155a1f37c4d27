import type { Knex } from 'knex';
import { eventually } from '../../../../test/support/eventually.js';

/** Resolves once as many statements wait for locks. */
export async function waitUntilBlocked(knex: Knex, count = 1): Promise<void> {
  let most = 0;
  await eventually(async () => {
    const { rows } = await knex.raw(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    most = Math.max(most, rows.length);
    if (most >= count) return true;
    throw new Error(
      `Only ${most} of ${count} calls were blocked at once: is the pool of connections large enough?`,
    );
  });
}
