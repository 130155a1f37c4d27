import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabaseProxy } from '../../../../test/support/database-proxy.js';
import { eventually } from '../../../../test/support/eventually.js';
import type { Attempt } from '../../src/jobs/job.js';
import { createJobsDatabase, signal } from './jobs-database.js';

test('jobs: a worker that is stopped finishes its job and takes no new one', async () => {
  const database = await createJobsDatabase();
  const [started, goOn] = [signal(), signal()];
  const done: string[] = [];
  const worker = await database.startWorker(
    {
      note: async () => {
        started.give();
        await goOn.given;
        done.push('finished');
      },
    },
    { drainMs: 15_000 },
  );
  await database.enqueue({ key: '1' });
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
  expect(done).toEqual(['other', 'finished', 'stopped']);
  expect(await database.queued()).toEqual([]);
});

test('jobs: a worker that is stopped also finishes a job from before its connections broke', async () => {
  const database = await createJobsDatabase();
  const [started, goOn] = [signal(), signal()];
  const done: string[] = [];
  const worker = await database.startWorker(
    {
      note: async () => {
        started.give();
        await goOn.given;
        done.push('finished');
      },
    },
    { concurrency: 1, drainMs: 15_000 },
  );
  await database.enqueue({});
  await started.given;
  for (const { pid } of await database.connections()) {
    await database.knex.raw('select pg_terminate_backend(?::int)', [pid]);
  }
  // The connection that had the job, and the one that replaced it.
  await eventually(async () => (await database.knex('job_workers')).length === 2);
  const stopped = worker.stop().then(() => done.push('stopped'));
  await sleep(500);
  goOn.give();
  await stopped;
  expect(done).toEqual(['finished', 'stopped']);
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
  const [started, goOn] = [signal(), signal()];
  const done: string[] = [];
  // So long that no worker can notice it by missing heartbeats.
  const heartbeat = { intervalMs: 1_000, timeoutMs: 3_600_000 };
  const worker = await database.startWorker(
    {
      note: async () => {
        started.give();
        await goOn.given;
        done.push('late');
      },
    },
    { drainMs: 50, heartbeat },
  );
  await database.enqueue({});
  await started.given;
  await worker.stop();
  const note = async (_payload: unknown, { number }: Attempt) => {
    done.push(`other, attempt ${number}`);
  };
  await database.startWorker({ note }, { heartbeat });
  await database.untilEmpty();
  goOn.give();
  await eventually(async () => done.length === 2);
  expect(done).toEqual(['other, attempt 2', 'late']);
});

test('jobs: a worker can be stopped while the database does not respond', async () => {
  const database = await createJobsDatabase();
  const proxy = await openDatabaseProxy(database.url);
  onTestFinished(() => proxy.close());
  const worker = await database.startWorker({ note: async () => {} }, { databaseUrl: proxy.url });
  await eventually(async () => (await database.knex('job_workers')).length === 1);
  proxy.silence();
  await Promise.all([worker.stop(), worker.stop()]);
});
