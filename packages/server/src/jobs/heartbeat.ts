import type pg from 'pg';
import { withRetries } from '../db/transaction.js';

/**
 * Heartbeats of workers (L-06). graphile-worker releases the jobs of a dead worker after four
 * hours; with heartbeats it takes seconds.
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
    await unlockJobs(client, workerIds, { doneJobIds, isDead: false });
  });
}

/**
 * SQL: the workers whose last heartbeat is too old, and those without one that hold a job for as
 * long.
 */
const deadWorkers = `
  select id from job_workers where beat_on < now() - $1 * interval '1 ms'
  union
  select locked_by from graphile_worker.jobs
   where locked_at < now() - $1 * interval '1 ms'
     and not exists (select from job_workers where job_workers.id = jobs.locked_by)`;

/**
 * Removes all workers whose last heartbeat is too old, and releases their jobs, each after the
 * pause of a failed attempt. A worker that was only paused may then run a job at the same time as
 * another one; tasks allow for that. If it takes another job and is killed before its next
 * heartbeat, it has no row in `job_workers`; so jobs are released too that such a worker has locked
 * for longer than the timeout. This reads all jobs at every heartbeat of every process, 17 ms for
 * 100,000.
 *
 * @returns the ids of the workers that were removed, or whose jobs were released
 * @throws Error of the database, in which case nothing has changed
 */
export async function releaseDeadWorkers(
  pool: pg.Pool,
  timeoutMs: number,
): Promise<readonly string[]> {
  const { rows: found } = await pool.query<{ id: string }>(deadWorkers, [timeoutMs]);
  if (found.length === 0) return [];
  return inPoolTransaction(pool, async (client) => {
    // Skips rows that another process is removing, or that are just getting a heartbeat.
    await client.query(
      `delete from job_workers
        where id in (select id from job_workers
                      where beat_on < now() - $1 * interval '1 ms' for update skip locked)`,
      [timeoutMs],
    );
    // Two processes may find the same one; releasing it twice changes nothing.
    const { rows } = await client.query<{ id: string }>(
      'select id from unnest($1::text[]) as id where id not in (select id from job_workers)',
      [found.map(({ id }) => id)],
    );
    const workerIds = rows.map(({ id }) => id);
    await unlockJobs(client, workerIds, { isDead: true });
    return workerIds;
  });
}

/**
 * Releases the jobs of workers that have ended. If their process died, the attempt has failed, and
 * the next one runs alone: it may have ended the process.
 */
async function unlockJobs(
  client: pg.PoolClient,
  workerIds: readonly string[],
  { doneJobIds = [], isDead }: { doneJobIds?: readonly string[]; isDead: boolean },
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
    `update graphile_worker._private_jobs
        set attempts = least(attempts, max_attempts - 1),
            last_error = case when $2 then 'The worker ended during the attempt' else last_error end,
            run_at = case when $2 then now() + exp(least(attempts, 10)) * interval '1 second' else now() end,
            flags = case when $2 then coalesce(flags, '{}') || '{"alone": true}' else flags end
      where id = any($1::bigint[])`,
    [jobIds, isDead],
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
