import type { Knex } from 'knex';

/**
 * Makes rows of a firm fail as on a node of a cluster that does not respond (D-72): the database
 * itself reports a connection failure. Returns a function that ends it.
 */
export async function takeNodeAway(
  knex: Knex,
  table: string,
  firmId: string,
): Promise<() => Promise<void>> {
  await knex.raw(`
    create function away() returns trigger language plpgsql as $$ begin
      raise exception 'no connection' using errcode = '08006';
    end $$;
    create trigger away before insert on ${table}
      for each row when (new.firm_id = '${firmId}') execute function away()`);
  return async () => void (await knex.raw('drop function away() cascade'));
}
