import type { Knex } from 'knex';
import type { RepeatingWork } from './repeating-tasks.js';

/**
 * Deletes the queues without jobs. graphile-worker keeps them, and locks each free queue whenever it
 * looks for a job, so that thousands of them would slow all workers down.
 */
export function deleteUnusedQueues(knex: Knex): RepeatingWork {
  return {
    name: 'deleting unused queues',
    pauseMs: 60_000,
    async run() {
      await knex.raw(
        `delete from graphile_worker._private_job_queues q
          where q.locked_at is null
            and not exists (select from graphile_worker._private_jobs j where j.job_queue_id = q.id)`,
      );
      return false;
    },
  };
}
