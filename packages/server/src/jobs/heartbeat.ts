import type pg from 'pg';
import { untilNotLost } from '../db/transaction.js';

/** How often workers say that they live, and what is made of their silence; in ms. */
export interface Pulse {
  readonly beatMs: number;
  /** Who has said nothing for so long is taken for dead. */
  readonly silentMs: number;
}

export const usualPulse: Pulse = { beatMs: 5_000, silentMs: 20_000 };

/** Says that workers live, by the clock of the database. */
export async function beat(pool: pg.Pool, workerIds: readonly string[]): Promise<void> {
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
  /** The job it did, but could not strike out. */
  readonly doneJobId?: string;
}

/**
 * Strikes out workers that have ended and gives what they did not do to the others.
 *
 * @throws Error of the database; then nothing has changed
 */
export async function release(pool: pg.Pool, workers: readonly EndedWorker[]): Promise<void> {
  const workerIds = workers.map(({ id }) => id);
  const doneJobIds = workers.flatMap(({ doneJobId }) => doneJobId ?? []);
  await inPoolTransaction(pool, async (client) => {
    await client.query('delete from job_workers where id = any($1::text[])', [workerIds]);
    await unlockJobs(client, workerIds, doneJobIds);
  });
}

/**
 * Does the same for all workers that have been silent for too long; graphile-worker itself would
 * wait four hours. One that was only paused finds its jobs with others when it wakes: tasks are made
 * for that.
 *
 * @returns the ids of the workers
 * @throws Error of the database; then nothing has changed
 */
export function releaseSilent(pool: pg.Pool, silentMs: number): Promise<readonly string[]> {
  return inPoolTransaction(pool, async (client) => {
    // Rows that another process is striking out, or that wake up, are left to it.
    const { rows } = await client.query<{ id: string }>(
      `delete from job_workers
        where id in (select id from job_workers
                      where beat_on < now() - $1 * interval '1 ms' for update skip locked)
        returning id`,
      [silentMs],
    );
    const workerIds = rows.map(({ id }) => id);
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
  // Those that were cancelled or replaced meanwhile have lost their key: nobody is to do them.
  await client.query(
    `select from graphile_worker.complete_jobs(
       array(select id from graphile_worker.jobs
              where id = any($1::bigint[]) and (key is null or id = any($2::bigint[]))))`,
    [jobIds, doneJobIds],
  );
  // Nobody knows how a last attempt ended that was cut off, so it is made again.
  await client.query(
    `select graphile_worker.reschedule_jobs(array_agg(id), attempts => max_attempts - 1)
       from graphile_worker.jobs
      where id = any($1::bigint[]) and attempts >= max_attempts
      group by max_attempts`,
    [jobIds],
  );
}

/** Jobs are released in no order: this may deadlock with a transaction that enqueues several of them anew. */
function inPoolTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return untilNotLost(() => transact(pool, work));
}

async function transact<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // With its connection the transaction ends, whatever state it is in.
    client.release(true);
    throw error;
  }
}
