import type { Knex } from 'knex';
import { withTrace } from '../tracing/spans.js';

/** Work to be done later, once, outside any request. */
export interface Job {
  /** The name of the task that does it. */
  readonly task: string;
  /** The argument of the task, as JSON. */
  readonly payload: object;
  /** There is one job per key: enqueuing it again replaces the waiting one. */
  readonly key: string;
  /** The earliest time to run it, by the clock of the database; without `runAt` and `afterMs`, at once. */
  readonly runAt?: Date;
  /** The pause before it may run, in ms. */
  readonly afterMs?: number;
  /** Due jobs of a pool run in the order of this number, 0 by default, and of the same one the oldest first. */
  readonly priority?: number;
  /** The number of attempts before the job is given up; 25 by default. */
  readonly maxAttempts?: number;
  /** The name of a queue; at most one job of a queue runs at a time. */
  readonly queue?: string;
  /** True to leave a waiting job with this key at its time, and so at its place among other jobs. */
  readonly keepsPlace?: boolean;
}

/** One attempt to run a job. */
export interface Attempt {
  readonly jobId: string;
  /** 1 for the first. */
  readonly number: number;
  /** True if no further attempt follows a failure. */
  readonly isLast: boolean;
}

/** An attempt that has ended. */
export interface EndedJob {
  readonly task: string;
  /** `failed` is tried again later. */
  readonly outcome: 'done' | 'failed' | 'givenUp';
  readonly seconds: number;
}

/**
 * Runs a job. A task that throws is retried after e^attempt seconds (3 s, 7 s, 20 s … 6 h).
 *
 * A task must be idempotent, even if two processes run it at the same time. A job runs again if its
 * worker was killed before it recorded the end of the job, or was taken for dead because its machine
 * was paused. So a task checks what is left to do, changes only the state that it expects, and gives
 * what it sends an id that stays the same.
 */
export interface Task {
  /** @returns `'failed'` if it failed and has enqueued its next run itself */
  (payload: unknown, attempt: Attempt): Promise<void> | Promise<'failed' | undefined>;
  /** True for a task that runs every few seconds, whose successes are logged at debug level only. */
  readonly isRoutine?: boolean;
}

/** Tasks by name. */
export type Tasks = Readonly<Record<string, Task>>;

/** Tasks that share workers, so that they wait for each other but not for the tasks of other pools (D-38). */
export interface TaskPool {
  readonly tasks: Tasks;
  /** The number of jobs that run at once, at least 1. */
  readonly concurrency: number;
}

/**
 * Adds a job in the transaction of the change that needs it, so that both happen or neither. A
 * waiting job with the same key is replaced. A running job with that key is not retried; the new
 * job is added separately and may run at the same time.
 *
 * The job belongs to the trace of what enqueues it (D-55).
 *
 * graphile-worker adds nothing if a waiting job with the key begins during the call. Then it is repeated.
 *
 * @example
 * await enqueue(trx, { task: 'endValidity', payload: { mandateId }, key: `endValidity:${mandateId}`, runAt });
 */
export function enqueue(trx: Knex.Transaction, job: Job): Promise<void> {
  return enqueueAll(trx, [job]);
}

/** Adds jobs, as `enqueue` does each, in one statement. Of several with one key, the last stays. */
export async function enqueueAll(trx: Knex.Transaction, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0) return;
  const specs = jobs.map(({ payload, ...job }) => ({ ...job, payload: withTrace(payload) }));
  const { rows } = await trx.raw<{ rows: { id: number | null; key: string }[] }>(
    `select added.id, job.key
       from json_to_recordset(?) as job (
              task text, payload json, key text, "runAt" timestamptz, "afterMs" float8,
              priority int, "maxAttempts" int, queue text, "keepsPlace" boolean)
      cross join graphile_worker.add_job(
            identifier => job.task, payload => job.payload, job_key => job.key,
            job_key_mode => case when job."keepsPlace" then 'preserve_run_at' else 'replace' end,
            run_at => coalesce(job."runAt", now() + coalesce(job."afterMs", 0) * interval '1 ms'),
            priority => coalesce(job.priority, 0), max_attempts => job."maxAttempts",
            queue_name => job.queue) as added`,
    [JSON.stringify(specs)],
  );
  const begun = new Set(rows.flatMap(({ id, key }) => (id === null ? key : [])));
  await enqueueAll(
    trx,
    jobs.filter(({ key }) => begun.has(key)),
  );
}

/**
 * Deletes the waiting jobs whose keys name one of the ids, such as `endValidity:<id>`. One that runs ends by
 * itself: without its row, graphile-worker would never unlock its queue.
 */
export async function deleteJobsOf(trx: Knex.Transaction, ids: readonly string[]): Promise<void> {
  await trx.raw(
    `delete from graphile_worker._private_jobs
      where split_part(key, ':', 2) = any(?) and locked_at is null`,
    [[...ids]],
  );
}
