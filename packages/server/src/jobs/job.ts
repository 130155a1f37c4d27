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
  /**
   * The earliest time to run it, by the clock of the database; without `runAt` and `afterMs`, at
   * once.
   */
  readonly runAt?: Date;
  /** The pause before it may run, in ms. */
  readonly afterMs?: number;
  /**
   * How many jobs of its firm wait before it, 0 by default. Due jobs run in the order of this
   * number, and of the same one the oldest first: so firms take turns, however many jobs each of
   * them has (D-67).
   */
  readonly place?: number;
  /**
   * The firm whose files it works on, null for none. A process keeps places free of such jobs, and
   * those of one firm take at most half of the others.
   */
  readonly firmId?: string | null;
  /** The number of attempts before the job is given up; 25 by default. */
  readonly maxAttempts?: number;
  /** A limit under which the job runs. */
  readonly limit?: JobLimit;
  /**
   * The id of the job whose next run this is: nothing is added if that one was replaced meanwhile.
   * `noJob` for one that is added only if there is none with its key.
   */
  readonly follows?: string;
}

/** An id that no job has. */
export const noJob = '0';

/** The last place in line; jobs behind it run in the order of their age. */
export const lastPlace = 1000;

/**
 * How many jobs of a kind a process runs at once. A job is `alone` if it takes much memory, or if
 * its process ended during an attempt: another one that it ends does not take many with it. One
 * that is `shared` is a part of repeated work, of which each process takes one.
 */
const jobLimits = { alone: 1, mail: 2, shared: 1 } as const;

/**
 * The places of a process that no jobs of files take, so that mails, deadlines and upkeep do not
 * wait for them.
 */
export const keptPlaces = 4;

type JobLimit = keyof typeof jobLimits;

/** Returns how many jobs with a flag a process runs at once that works on so many files. */
export function mostWith(flag: string, filePlaces: number): number {
  if (flag === 'files') return filePlaces;
  const limit = Object.hasOwn(jobLimits, flag) ? jobLimits[flag as JobLimit] : undefined;
  return limit ?? Math.max(1, Math.floor(filePlaces / 2));
}

/** One attempt to run a job. */
export interface Attempt {
  readonly jobId: string;
  /** The place that the job had in the line of its firm. */
  readonly place: number;
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
 * Runs jobs. One that throws is tried again after e^attempt seconds (3 s, 7 s, 20 s … 6 h), and so
 * is one whose process has ended.
 *
 * A task must be idempotent, even if two processes run it at the same time. A job runs again if its
 * worker was killed before it recorded the end of the job, or was taken for dead because its
 * machine was paused. So a task checks what is left to do, changes only the state that it expects,
 * and gives what it sends an id that stays the same.
 */
export interface Task {
  /** @returns `'failed'` if it failed and has enqueued its next run itself */
  run(payload: unknown, attempt: Attempt): Promise<void> | Promise<'failed' | undefined>;
  /**
   * Records that no further attempt is made. The last five attempts of a job are kept for this: the
   * job may have ended its process, or this may fail too.
   */
  giveUp?(payload: unknown, reason: string): Promise<void>;
  /** True for a task that runs very often, whose successes are logged at debug level only. */
  readonly isRoutine?: boolean;
}

/** Tasks by name. */
export type Tasks = Readonly<Record<string, Task>>;

/**
 * Adds a job in the transaction of the change that needs it, so that both happen or neither. A
 * waiting job with the same key is replaced. A running job with that key is not retried; the new
 * job is added separately and may run at the same time.
 *
 * The job belongs to the trace of what enqueues it (D-55).
 *
 * graphile-worker adds nothing if a waiting job with the key begins during the call. Then it is
 * repeated.
 *
 * @example
 * const key = `printFile:${fileId}`;
 * await enqueue(trx, { task: 'printFile', payload: { fileId }, key, place });
 *
 * @returns false if it was not added, because of what it `follows`
 */
export async function enqueue(trx: Knex, job: Job): Promise<boolean> {
  return (await enqueueAll(trx, [job])) > 0;
}

/**
 * Adds jobs, as `enqueue` does each, in one statement. Of several with one key, the last stays. All
 * are given to graphile-worker at once: for each job it may read the whole queue.
 *
 * @returns the number of jobs that were added, without those that do not follow
 */
export async function enqueueAll(trx: Knex, jobs: readonly Job[]): Promise<number> {
  if (jobs.length === 0) return 0;
  const byKey = new Map(jobs.map((job) => [job.key, job]));
  const specs = [...byKey.values()].map(({ payload, place = 0, limit, firmId, ...job }) => ({
    ...job,
    payload: withTrace(payload),
    priority: Math.min(place, lastPlace),
    flags: [
      ...(limit ? [limit] : []),
      ...(firmId === undefined ? [] : ['files']),
      ...(firmId ? [`firm:${firmId}`] : []),
    ],
  }));
  const { rows } = await trx.raw<{ rows: { key: string; isAdded: boolean }[] }>(
    `with job as materialized (
       select * from json_to_recordset(?) as job (
              task text, payload json, key text, "runAt" timestamptz, "afterMs" float8,
              priority int2, "maxAttempts" int2, flags text[], follows bigint)
        where follows is null
           or not exists (select from graphile_worker.jobs other
                           where other.key = job.key and other.id <> job.follows)),
     added as materialized (
       select jobs.key from graphile_worker.add_jobs(array(
              select (task, payload, null,
                      coalesce("runAt", now() + coalesce("afterMs", 0) * interval '1 ms'),
                      "maxAttempts", key, priority, nullif(flags, '{}'))::graphile_worker.job_spec
                from job)) jobs
        where exists (select from job))
     select key, key in (select key from added) as "isAdded" from job`,
    [JSON.stringify(specs)],
  );
  const begun = rows.flatMap(({ key, isAdded }) => (isAdded ? [] : (byKey.get(key) ?? [])));
  return rows.length - begun.length + (await enqueueAll(trx, begun));
}

/**
 * Deletes the waiting jobs for one of the ids: those whose keys begin with it, such as
 * `sendMail:<id>.1`, and those of such a firm. One that runs ends by itself.
 */
export async function deleteJobsOf(trx: Knex.Transaction, ids: readonly string[]): Promise<void> {
  await trx.raw(
    `delete from graphile_worker._private_jobs
      where locked_at is null
        and (split_part(split_part(key, ':', 2), '.', 1) = any(:ids) or flags \\?| :firms)`,
    { ids: [...ids], firms: ids.map((id) => `firm:${id}`) },
  );
}
