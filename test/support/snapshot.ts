import type { TestService } from './test-service.js';

/** The number of rows of each table, and the sum of the transactions that wrote them. */
type Snapshot = Readonly<Record<string, string>>;

/**
 * Returns a snapshot of the database, without the counts of calls, their limits
 * and their entries in the audit trail. Two snapshots are
 * equal if no row was added, changed or removed.
 */
export async function snapshot({ knex }: Pick<TestService, 'knex'>): Promise<Snapshot> {
  const { rows: tables } = await knex.raw<{ rows: { name: string }[] }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')
        and tablename not in ('rate_limit_windows', 'api_usage', 'audit_entries') order by 1`,
  );
  const states = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as state
         from ${name}`,
  );
  const { rows } = await knex.raw<{ rows: { name: string; state: string }[] }>(
    states.join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}
