import type { Knex } from 'knex';

/** Work that is done later, once and outside any request. */
export interface Job {
  /** Which task does it. */
  readonly task: string;
  /** What the task is given: JSON. */
  readonly payload: object;
  /** One job per key: enqueuing again replaces the one that waits. */
  readonly key: string;
  /** Not before; at once when absent. */
  readonly runAt?: Date;
  /** How often it is tried until it is given up; 25 when absent. */
  readonly maxAttempts?: number;
}

/** One try of a job. */
export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  /** No further one follows a failure. */
  readonly isLast: boolean;
}

/**
 * Does a job. A task that throws is tried again, after e^attempt seconds (3 s, 7 s, 20 s … 6 h).
 *
 * It must do no harm when it is done twice, even by two processes at the same time: a job is done
 * again when its worker was killed between doing it and recording that, and when the worker was
 * taken for dead because its machine had been paused. So a task looks what is left to do, changes
 * that only from the state it expects, and gives what it sends an id that is the same each time.
 */
interface Task {
  (payload: unknown, attempt: Attempt): Promise<void>;
  /** Whether it is done every few seconds, so that the log need not tell that it was done. */
  readonly isRoutine?: boolean;
}

/** Tasks by the name that jobs call them. */
export type Tasks = Readonly<Record<string, Task>>;

/**
 * Adds a job in the transaction of the change that asks for it: there is the one exactly when there
 * is the other. A job of the same key that waits, for its time or for another attempt, is replaced
 * in all its parts; one that is being worked on is not tried again, and the new one follows it.
 *
 * @example
 * await enqueue(trx, { task: 'endValidity', payload: { mandateId }, key: `endValidity:${mandateId}`, runAt });
 */
export async function enqueue(trx: Knex.Transaction, job: Job): Promise<void> {
  const { task, payload, key, runAt, maxAttempts } = job;
  await trx.raw(
    `select from graphile_worker.add_job(
       identifier => ?, payload => ?::json, job_key => ?, job_key_mode => 'replace',
       run_at => ?::timestamptz, max_attempts => ?::int
     )`,
    [task, JSON.stringify(payload), key, runAt ?? null, maxAttempts ?? null],
  );
}

/**
 * Removes the job of a key, if there is one. One that is being worked on comes to its end, but is
 * not tried again.
 */
export async function cancel(trx: Knex.Transaction, key: string): Promise<void> {
  await trx.raw('select from graphile_worker.remove_job(job_key => ?)', [key]);
}
