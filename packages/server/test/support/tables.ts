import type { Knex } from 'knex';

/** Returns all tables of the database with their schemas, as SQL names, without partitions. */
export async function tablesOf(knex: Knex): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `select format('%I.%I', n.nspname, t.relname) as name
       from pg_class t join pg_namespace n on n.oid = t.relnamespace
      where t.relkind in ('r', 'p') and not t.relispartition
        and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`,
  );
  return rows.map(({ name }) => name);
}
