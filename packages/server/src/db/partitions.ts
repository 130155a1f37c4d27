import type { Knex } from 'knex';
import type { Migration } from './migrations/migration.js';

/** The largest of the tables that grow with the data of every firm (D-68). */
export const largeTables = [
  ...['files', 'file_acknowledgements', 'uploads', 'audit_entries'],
  ...['mandates', 'mandate_history', 'signature_requests'],
];

/**
 * Partitions the large tables by hash of the firm, which every key of these tables contains.
 */
export function inPartitions(
  migrations: readonly Migration[],
  count: number,
  tables: readonly string[] = largeTables,
): Migration[] {
  const start = new RegExp(`^create table (${tables.join('|')}) \\(\\n[^;]*?\\n\\)(?=;$)`, 'gm');
  return migrations.map((migration) => {
    const found: string[] = [];
    const sql = migration.sql.replace(start, (definition, table: string) => {
      found.push(table);
      return `${definition} partition by hash (firm_id)`;
    });
    return {
      ...migration,
      sql: [sql, ...found.map((table) => partitions(table, count))].join('\n'),
    };
  });
}

/** Triggers on rows are of all partitions; those on truncation are not, so they are copied. */
function partitions(table: string, count: number): string {
  return `
do $$
declare
  part text;
  definition text;
begin
  for n in 0..${count - 1} loop
    part := '${table}_' || n;
    execute format('create table %I partition of ${table} for values with (modulus ${count}, remainder %s)',
      part, n);
    for definition in
      select pg_get_triggerdef(oid) from pg_trigger
       where tgrelid = '${table}'::regclass and (tgtype & 32) > 0
    loop
      execute replace(definition, ' ON public.${table} ', ' ON ' || part || ' ');
    end loop;
  end loop;
end $$;`;
}

export async function countPartitions(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: [{ count: number }] }>(
    `select count(*)::int from pg_inherits where inhparent = 'files'::regclass`,
  );
  return rows[0].count;
}
