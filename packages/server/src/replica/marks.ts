import type { Knex } from 'knex';
import { runPrepared } from '../db/prepared-statements.js';
import { inSnapshot } from '../db/transaction.js';

/*
 * A mark is a row that the primary commits after everything that its snapshot shows. A replica that
 * shows the row has replayed all of that, whatever clocks, positions and timelines say (D-71).
 */

/** The largest age of what a list reads from the replica, in seconds. */
export const STALE_SECONDS = 5;

/** The shortest time between two marks, in ms, of all processes together. */
const MARK_MS = 500;

/** The latest mark that a replica shows. */
export interface SeenMark {
  readonly id: string;
  readonly madeOn: Date;
}

/**
 * Returns the latest mark that a replica shows; undefined if it shows none.
 *
 * @throws Error if the server is no replica, or was promoted
 */
export async function seenMark(replica: Knex): Promise<SeenMark | undefined> {
  const { rows } = await replica.raw<{
    rows: { isReplica: boolean; id: string | null; madeOn: Date }[];
  }>(
    `select pg_is_in_recovery() as "isReplica", m.id, m.made_on as "madeOn"
       from (select) one
       left join (select id, made_on from replica_marks order by made_on desc limit 1) m on true`,
  );
  const [{ isReplica = false, id = null, madeOn = new Date() } = {}] = rows;
  if (isReplica) return id === null ? undefined : { id, madeOn };
  throw new Error('DATABASE_READ_URL leads to no replica, or to one that was promoted');
}

/**
 * Makes a mark, unless there is a new one. Of the marks that are older than a minute the last one
 * stays, which a replica may show while nobody asks for lists.
 *
 * @param seen - the latest mark that the replica shows
 * @returns the age of the oldest mark that the replica lacks, in seconds, 0 if it lacks none; the
 *   age of the mark that it shows, if that may have been removed; undefined if the database lacks
 *   that mark
 */
export async function makeMark(
  primary: Knex,
  seen: SeenMark | undefined,
): Promise<number | undefined> {
  const { rows } = await primary.raw<{ rows: { behind: number | null }[] }>(
    `with made as (
       insert into replica_marks select
        where not exists (select from replica_marks
                           where made_on between now() - ${MARK_MS} * interval '1 ms' and now())),
          removed as (
       delete from replica_marks
        where made_on > now() + interval '1 minute'
           or made_on < (select max(made_on) from replica_marks
                          where made_on < now() - interval '1 minute')),
          seen as (select made_on from replica_marks where id = :id)
     select case when :id::uuid is null or exists (select from seen)
                 then coalesce(extract(epoch from now() - min(made_on)), 0)
                 when :madeOn::timestamptz < now() - interval '1 minute'
                 then extract(epoch from now() - :madeOn::timestamptz) end::float8 as behind
       from replica_marks where made_on > coalesce((select made_on from seen), '-infinity')`,
    { id: seen?.id ?? null, madeOn: seen?.madeOn ?? null },
  );
  return rows[0]?.behind ?? undefined;
}

/**
 * Returns true if a replica that shows a mark has all changes of a firm that were committed before
 * this call, and is not too far behind. Only the primary knows: it compares the transactions of the
 * changes with the snapshot of the mark, and the age by its own clock.
 *
 * A mark that a failover has lost is not found. Numbers of a restored dump are above all others.
 */
export async function isUpToDateFor(primary: Knex, firmId: string, mark: string): Promise<boolean> {
  const found = await runPrepared(primary, {
    sql: `select from replica_marks m
           where m.id = ?
             and m.made_on between now() - interval '${STALE_SECONDS} s'
                               and now() + interval '${STALE_SECONDS} s'
             and not exists (
                 select from audit_entries e
                  where e.firm_id = ? and e.change >= pg_snapshot_xmin(m.snapshot)
                    and e.change < pg_snapshot_xmax(pg_current_snapshot())
                    and not pg_visible_in_snapshot(e.change, m.snapshot))`,
    bindings: [mark, firmId],
  });
  return found.length > 0;
}

/**
 * Runs a query on a replica, in a snapshot that shows a mark. So it does not matter whether the
 * connection is a new one, to a server that started again, or to another one behind the same URL.
 *
 * @throws Error if the server does not show it, or was promoted: then others may write there
 */
export function readAfter<Result>(
  replica: Knex,
  mark: string,
  query: (knex: Knex) => Promise<Result>,
): Promise<Result> {
  return inSnapshot(replica, async (trx) => {
    const sql = 'select from replica_marks where id = ? and pg_is_in_recovery()';
    const found = await runPrepared(trx, { sql, bindings: [mark] });
    if (found.length === 0) throw new Error('The server does not show the mark');
    return query(trx);
  });
}
