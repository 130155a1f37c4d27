import type { Knex } from 'knex';
import { citusUrl, emptyOnNodes } from './citus-databases.js';
import { tablesOf } from './tables.js';

/** The name of the sessions that do not count as those of a test. */
export const applicationName = 'tests';

const others = `from pg_stat_activity where datname = current_database()
  and backend_type = 'client backend' and pid <> pg_backend_pid()
  and application_name not like 'citus_internal %'
  and (application_name <> '${applicationName}' or xact_start is not null)`;

// Sessions that a test has closed, or whose process it has killed, may go on for a moment.
const waitForOthers = `do $$ begin
  for wait in 1..100 loop
    perform pg_stat_clear_snapshot();
    exit when not exists (select ${others});
    perform pg_sleep(0.01);
  end loop;
end $$`;

/** Catalogues in which the changes of a schema that tests make change a row. */
const catalogues = [
  ...['class', 'attribute', 'attrdef', 'constraint', 'trigger', 'proc', 'type', 'rewrite'],
  'namespace',
];

/** Describes a database that has only the schema and the reference data of the migrations. */
async function describeNew(knex: Knex) {
  const tables = await tablesOf(knex);
  const onNodes = new Set(
    citusUrl === undefined
      ? []
      : (
          await knex.raw(
            `select format('public.%I', logicalrelid::text) as name from pg_dist_partition`,
          )
        ).rows.map(({ name }: { name: string }) => name),
  );
  const first = async (sql: string) => (await knex.raw(sql)).rows[0];
  const { counts } = await first(
    `select array[${tables.map((table) => `(select count(*)::int from ${table})`)}] as counts`,
  );
  const withCount = (is: (count: number) => boolean) =>
    tables.filter((_, place) => is(counts[place]));
  /** Those with one row have a state, not reference data. */
  const stateRows = await Promise.all(
    withCount((count) => count === 1).map(async (table) => {
      const { row } = await first(`select quote_literal(to_json(t)) as row from ${table} t`);
      return `insert into ${table} select * from json_populate_record(null::${table}, ${row});`;
    }),
  );
  const { sequences } = await first(
    `select string_agg(format('setval(%L, %s, %L)', quote_ident(schemaname) || '.' || quote_ident(sequencename),
        coalesce(last_value, start_value), last_value is not null), ', ') as sequences from pg_sequences`,
  );
  const state = `select concat_ws(' ', ${[
    ...catalogues.map((each) => `(select (count(*), sum(xmin::text::bigint)) from pg_${each})`),
    ...withCount((count) => count > 1).map(
      (table) => `(select md5(string_agg(t::text, '' order by t::text)) from ${table} t)`,
    ),
    // Plans depend on statistics and sizes.
    '(select count(*) from pg_statistic)',
    'pg_database_size(current_database()) < 2 ^ 24',
    `(select string_agg(setconfig::text, '') from pg_db_role_setting s
        join pg_database d on d.oid = s.setdatabase where datname = current_database())`,
  ]}) as state`;
  const empty = `
    set session_replication_role = replica;
    ${citusUrl === undefined ? '' : emptyOnNodes(withCount((count) => count < 2))}
    ${withCount((count) => count < 2)
      .filter((table) => !onNodes.has(table))
      .map((table) => `delete from ${table};`)
      .join('\n')}
    ${stateRows.join('\n')}
    select ${sequences};
    set session_replication_role = default`;
  return { state, asNew: await stateOf(knex, state), empty };
}

const stateOf = async (knex: Knex, state: string): Promise<string> =>
  (await knex.raw(state)).rows[0].state;

let described: ReturnType<typeof describeNew> | undefined;

/** Remembers how a new database looks. All are copies of one. */
export async function rememberNew(knex: Knex): Promise<void> {
  described ??= describeNew(knex);
  await described;
}

/**
 * Makes a database like a new one. It returns false if that takes more than deleting rows, because
 * its schema, reference data, settings or statistics were changed, or a session is still at work.
 */
export async function emptyDatabase(knex: Knex): Promise<boolean> {
  const { state, asNew, empty } = await (described ?? Promise.reject(new Error('None is known')));
  await knex.raw(waitForOthers);
  const { rows } = await knex.raw(`select 1 ${others} limit 1`);
  if (rows.length > 0 || (await stateOf(knex, state)) !== asNew) return false;
  await knex.raw(empty);
  return true;
}
