import type { Knex } from 'knex';
import { eventually } from '../../../../test/support/eventually.js';

/** Resolves once a statement waits for a lock. */
export async function waitUntilBlocked(knex: Knex): Promise<void> {
  await eventually(async () => {
    const { rows } = await knex.raw(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
}
