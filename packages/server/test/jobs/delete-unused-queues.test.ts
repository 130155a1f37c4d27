import { expect, test } from 'vitest';
import { deleteUnusedQueues } from '../../src/jobs/delete-unused-queues.js';
import { createJobsDatabase } from './jobs-database.js';

test('jobs: queues without jobs are deleted, and those of waiting and failed jobs stay', async () => {
  const database = await createJobsDatabase();
  const { knex } = database;
  const fails = async () => Promise.reject(new Error('no'));
  await database.startWorker({ note: async () => {}, fails });
  await database.enqueue({ key: 'done', queue: 'done' });
  await database.enqueue({ task: 'fails', key: 'failed', queue: 'failed', maxAttempts: 1 });
  await database.enqueue({ key: 'waiting', queue: 'waiting', afterMs: 3_600_000 });
  await expect
    .poll(() =>
      knex('graphile_worker.jobs').where({ attempts: 0 }).orWhereNotNull('locked_at').pluck('key'),
    )
    .toEqual(['waiting']);
  const queues = () =>
    knex('graphile_worker._private_job_queues').orderBy('queue_name').pluck('queue_name');
  expect(await queues()).toEqual(['done', 'failed', 'waiting']);
  await deleteUnusedQueues(knex).run();
  expect(await queues()).toEqual(['failed', 'waiting']);
});
