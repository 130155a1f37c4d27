import type { Knex } from 'knex';

/** Resolves once a statement waits for a lock. */
export async function waitUntilBlocked(knex: Knex): Promise<void> {
  const { rows } = await knex.raw(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  if (rows.length === 0) await waitUntilBlocked(knex);
}
