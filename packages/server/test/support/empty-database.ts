import type { Knex } from 'knex';
import { tablesOf } from './tables.js';

/** The name of the sessions that do not count as those of a test. */
export const applicationName = 'tests';

const others = `from pg_stat_activity where datname = current_database()
  and backend_type = 'client backend' and application_name <> '${applicationName}'`;

// Sessions that a test has closed, or whose process it has killed, may go on for a moment.
const endOthers = `do $$ begin
  for wait in 1..100 loop
    perform pg_stat_clear_snapshot();
    exit when not exists (select ${others});
    perform pg_sleep(0.01);
  end loop;
  perform pg_terminate_backend(pid, 10000) ${others};
end $$`;

/** Catalogues in which every change of a schema changes a row. */
const catalogues = ['class', 'attribute', 'constraint', 'trigger', 'proc', 'rewrite', 'namespace'];

/** Describes a database that has only the schema and the reference data of the migrations. */
async function describeNew(knex: Knex) {
  const tables = await tablesOf(knex);
  const { rows } = await knex.raw(
    `select array[${tables.map((table) => `exists (select from ${table})`)}] as filled`,
  );
  const filled = tables.filter((_, place) => rows[0].filled[place]);
  const state = `select concat_ws(' ', ${[
    ...catalogues.map((each) => `(select (count(*), sum(xmin::text::bigint)) from pg_${each})`),
    ...filled.map(
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
    ${tables
      .filter((table) => !filled.includes(table))
      .map((table) => `delete from ${table};`)
      .join('\n')}
    select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
      from pg_sequences;
    set session_replication_role = default`;
  return { state, isNew: await stateOf(knex, state), empty };
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
 * its schema, reference data, settings or statistics were changed.
 */
export async function emptyDatabase(knex: Knex): Promise<boolean> {
  const { state, isNew, empty } = await (described ?? Promise.reject(new Error('None is known')));
  await knex.raw(endOthers);
  if ((await stateOf(knex, state)) !== isNew) return false;
  await knex.raw(empty);
  return true;
}
