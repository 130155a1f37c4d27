import type { Knex } from 'knex';

/**
 * Takes the `updatedOn` of some changes of a firm's mandates: a millisecond of its own for each, in
 * order, later than every one taken before.
 *
 * The clock of the firm stays locked until the transaction ends. So changes become visible in the
 * order of their instants, and who polls with `updatedSince` misses none (§4.15). It is the last
 * lock of a transaction, which has all others by then.
 */
export async function takeInstants(
  trx: Knex.Transaction,
  firmId: string,
  count: number,
): Promise<Date[]> {
  const further = count - 1;
  const { rows } = await trx.raw<{ rows: { moved_on: Date }[] }>(
    `insert into mandate_clocks as clock (firm_id, moved_on)
     values (:firmId, clock_timestamp() + :further * interval '1 ms')
     on conflict (firm_id) do update
       set moved_on = greatest(clock_timestamp(), clock.moved_on + interval '1 ms')
                      + :further * interval '1 ms'
     returning moved_on`,
    { firmId, further },
  );
  const last = rows[0]?.moved_on.getTime();
  if (last === undefined) throw new Error('The clock of the firm did not move');
  return Array.from({ length: count }, (_, i) => new Date(last - further + i));
}
