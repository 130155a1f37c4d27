import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import type { Attempt } from '../../src/jobs/job.js';
import { createJobsDatabase, heldNotes } from './jobs-database.js';

test('jobs: a worker that is stopped finishes its job and takes no new one', async () => {
  const database = await createJobsDatabase();
  const { started, goOn, done, note } = heldNotes();
  const worker = await database.startWorker({ note }, { drainMs: 15_000 });
  await database.enqueue({ key: '1', payload: { of: 'stopped' } });
  await started.given;
  const stopped = worker.stop().then(() => done.push('stopped'));
  await database.enqueue({ key: '2' });
  await database.startWorker({
    note: async () => {
      done.push('other');
    },
  });
  await eventually(database.queued, ({ length }) => length === 1);
  expect(done).toEqual(['other']);
  goOn.give();
  await stopped;
  expect(done).toEqual(['other', { of: 'stopped' }, 'stopped']);
  expect(await database.queued()).toEqual([]);
});

test('jobs: a worker that is stopped also finishes a job from before its connections broke', async () => {
  const database = await createJobsDatabase();
  const { started, goOn, done, note } = heldNotes();
  const worker = await database.startWorker({ note }, { drainMs: 15_000 });
  await database.enqueue({ payload: { of: 'stopped' } });
  await started.given;
  await database.endConnections();
  // The connection that had the job, and the one that replaced it.
  await eventually(async () => (await database.knex('job_workers')).length === 2);
  const stopped = worker.stop().then(() => done.push('stopped'));
  await sleep(500);
  goOn.give();
  await stopped;
  expect(done).toEqual([{ of: 'stopped' }, 'stopped']);
  expect(await database.queued()).toEqual([]);
});

test('jobs: a worker that has stopped leaves no connection and no row', async () => {
  const database = await createJobsDatabase();
  const worker = await database.startWorker({ note: async () => {} }, { concurrency: 4 });
  await eventually(async () => (await database.knex('job_workers')).length === 4);
  await worker.stop();
  expect(await database.knex('job_workers')).toEqual([]);
  await eventually(async () => (await database.connections()).length === 0);
});

test('jobs: a worker that is stopped releases at once the jobs that do not end in time', async () => {
  const database = await createJobsDatabase();
  const { started, goOn, done, note: late } = heldNotes();
  // The timeout is so long that no worker can notice it by missing heartbeats.
  const heartbeat = { intervalMs: 1_000, timeoutMs: 3_600_000 };
  const worker = await database.startWorker({ note: late }, { drainMs: 50, heartbeat });
  await database.enqueue({ payload: { of: 'late' } });
  await started.given;
  await worker.stop();
  const note = async (_payload: unknown, { number }: Attempt) => {
    done.push(`other, attempt ${number}`);
  };
  await database.startWorker({ note }, { heartbeat });
  await database.untilEmpty();
  goOn.give();
  await eventually(async () => done.length === 2);
  expect(done).toEqual(['other, attempt 2', { of: 'late' }]);
});

test('jobs: a worker can be stopped while the database does not respond', async () => {
  const database = await createJobsDatabase();
  const proxy = await database.openProxy();
  const worker = await database.startWorker({ note: async () => {} }, { databaseUrl: proxy.url });
  await eventually(async () => (await database.knex('job_workers')).length === 1);
  proxy.silence();
  await Promise.all([worker.stop(), worker.stop()]);
});
