import type { TestService } from './test-service.js';

/** The number of rows and a digest of the content of each table. */
type Snapshot = Readonly<Record<string, string>>;

/**
 * Returns a snapshot of the database, without the counts of calls and their limits. Two snapshots are
 * equal if no row was added, changed or removed.
 */
export async function snapshot({ knex }: Pick<TestService, 'knex'>): Promise<Snapshot> {
  const { rows: tables } = await knex.raw<{ rows: { name: string }[] }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')
        and tablename not in ('rate_limit_windows', 'api_usage') order by 1`,
  );
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' ||
              md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) as digest
         from ${name} t`,
  );
  const { rows } = await knex.raw<{ rows: { name: string; digest: string }[] }>(
    digests.join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
