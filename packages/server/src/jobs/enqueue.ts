import type { Knex } from 'knex';
import type { Job } from './job.js';

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
