import type pg from 'pg';
import { withRetries } from '../db/transaction.js';

/**
 * Heartbeats of workers (L-06). graphile-worker releases the jobs of a dead worker after four hours; with
 * heartbeats it takes seconds.
 */
export interface HeartbeatTimes {
  readonly intervalMs: number;
  /** A worker whose last heartbeat is older counts as dead. */
  readonly timeoutMs: number;
}

export const defaultHeartbeat: HeartbeatTimes = { intervalMs: 5_000, timeoutMs: 20_000 };

/** Records a heartbeat of these workers, by the clock of the database. */
export async function recordHeartbeat(pool: pg.Pool, workerIds: readonly string[]): Promise<void> {
  await pool.query(
    `insert into job_workers (id, beat_on)
     select id, now() from unnest($1::text[]) as id order by id
     on conflict (id) do update set beat_on = excluded.beat_on`,
    [workerIds],
  );
}

/** A worker that has ended. */
export interface EndedWorker {
  readonly id: string;
  /** A job that it completed, but failed to record as completed. */
  readonly doneJobId?: string;
}

/**
 * Removes workers that have ended, and releases their unfinished jobs to other workers.
 *
 * @throws Error of the database, in which case nothing has changed
 */
export async function releaseWorkers(
  pool: pg.Pool,
  workers: readonly EndedWorker[],
): Promise<void> {
  const workerIds = workers.map(({ id }) => id);
  const doneJobIds = workers.flatMap(({ doneJobId }) => doneJobId ?? []);
  await inPoolTransaction(pool, async (client) => {
    await client.query('delete from job_workers where id = any($1::text[])', [workerIds]);
    await unlockJobs(client, workerIds, doneJobIds);
  });
}

/**
 * Removes all workers whose last heartbeat is too old, and releases their jobs. A worker that was
 * only paused may then run a job at the same time as another one; tasks allow for that. If it takes
 * another job and is killed before its next heartbeat, it has no row in `job_workers`; so jobs are released
 * too that such a worker has locked for longer than the timeout. This reads all jobs at every
 * heartbeat of every process, 17 ms for 100,000.
 *
 * @returns the ids of the workers that were removed, or whose jobs were released
 * @throws Error of the database, in which case nothing has changed
 */
export function releaseDeadWorkers(pool: pg.Pool, timeoutMs: number): Promise<readonly string[]> {
  return inPoolTransaction(pool, async (client) => {
    // Skips rows that another process is removing, or that are just getting a heartbeat.
    const removed = await client.query<{ id: string }>(
      `delete from job_workers
        where id in (select id from job_workers
                      where beat_on < now() - $1 * interval '1 ms' for update skip locked)
        returning id`,
      [timeoutMs],
    );
    // Two processes may find the same one; releasing it twice changes nothing.
    const missing = await client.query<{ id: string }>(
      `select locked_by as id from graphile_worker.jobs
        where locked_at < now() - $1 * interval '1 ms'
          and not exists (select from job_workers where job_workers.id = jobs.locked_by)`,
      [timeoutMs],
    );
    // A dead worker whose job is old is in both.
    const workerIds = [...new Set([...removed.rows, ...missing.rows].map(({ id }) => id))];
    if (workerIds.length > 0) await unlockJobs(client, workerIds);
    return workerIds;
  });
}

async function unlockJobs(
  client: pg.PoolClient,
  workerIds: readonly string[],
  doneJobIds: readonly string[] = [],
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select id from graphile_worker.jobs where locked_by = any($1::text[])',
    [workerIds],
  );
  await client.query('select graphile_worker.force_unlock_workers($1::text[])', [workerIds]);
  const jobIds = rows.map(({ id }) => id);
  if (jobIds.length === 0) return;
  // A job that was replaced in the meantime has lost its key, and must not run.
  await client.query(
    `select from graphile_worker.complete_jobs(
       array(select id from graphile_worker.jobs
              where id = any($1::bigint[]) and (key is null or id = any($2::bigint[]))))`,
    [jobIds, doneJobIds],
  );
  // The outcome of a last attempt that was cut off is unknown, so it is repeated.
  await client.query(
    `select graphile_worker.reschedule_jobs(array_agg(id), attempts => max_attempts - 1)
       from graphile_worker.jobs
      where id = any($1::bigint[]) and attempts >= max_attempts
      group by max_attempts`,
    [jobIds],
  );
}

/**
 * Retries, because jobs are released in no fixed order, which may deadlock with a transaction that
 * enqueues several of them again.
 */
function inPoolTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return withRetries(async () => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      // Closing the connection ends the transaction, whatever its state.
      client.release(true);
      throw error;
    }
  });
}
