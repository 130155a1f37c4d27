import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import type { Task } from '../../src/jobs/job.js';
import { openQueueConnections } from '../../src/jobs/queue-connections.js';
import { createWorkerPool } from '../../src/jobs/worker-pool.js';
import { createLogger } from '../../src/logger.js';
import { createJobsDatabase, heldNotes, type JobsDatabase, notes } from './jobs-database.js';

/** Longer than any test, so that a worker looks only for another reason. */
const never = 3_600_000;

/** Waits until a worker that found a job has looked for another one. */
const untilRest = () => sleep(200);

test('D-67 jobs: a job that waits under a limit begins when another one ends during a look', async () => {
  const database = await createJobsDatabase();
  const { started, goOn, done, note } = heldNotes();
  await database.enqueue({ payload: { number: 2 }, key: '2', firmId: 'A', afterMs: never });
  await database.startWorker({ note }, { concurrency: 3, filePlaces: 2, lookMs: never });
  await untilRest();
  await database.enqueue({ payload: { number: 1 }, key: '1', firmId: 'A' });
  await started.given;
  await untilRest();
  await database.knex.transaction(async (trx) => {
    // Only a look locks its rows.
    await trx.raw('lock table graphile_worker._private_job_queues in exclusive mode');
    const looking = async () => (await database.connections()).some(({ waits }) => waits);
    await database.bringForward();
    await database.knex.raw(`notify "jobs:insert", '{"count":1}'`);
    await eventually(looking);
    goOn.give();
    const left = () => database.knex('graphile_worker._private_jobs');
    await eventually(left, ({ length }) => length === 1);
    // The worker learns of the end of the job a moment after the database.
    await sleep(100);
    expect(await looking()).toBe(true);
  });
  await database.untilEmpty();
  expect(done).toEqual([{ number: 1 }, { number: 2 }]);
});

test('D-67 jobs: a job that has become due is found while others arrive', async () => {
  const database = await createJobsDatabase();
  const { calls, note } = notes();
  await database.enqueue({ payload: { of: 'due' }, key: 'due', place: 9, afterMs: never });
  await database.startWorker({ note }, { lookMs: 300 });
  await database.enqueue({ payload: { of: 'first' }, key: 'first' });
  await eventually(async () => calls.length === 1);
  await untilRest();
  const isDone = () => calls.some((payload) => JSON.stringify(payload).includes('due'));
  await database.bringForward();
  for (let number = 0; number < 200 && !isDone(); number += 1) {
    await database.enqueue({ payload: { number }, key: `${number}` });
    await sleep(30);
  }
  expect(isDone()).toBe(true);
});

test('D-67 jobs: a job that has become due does not take the look of one that was added', async () => {
  const database = await createJobsDatabase();
  const { calls, note } = notes();
  await database.enqueue({ payload: { of: 'due' }, key: 'due', afterMs: never });
  await database.startWorker({ note }, { lookMs: never });
  await database.enqueue({ payload: { of: 'first' }, key: 'first' });
  await eventually(async () => calls.length === 1);
  await untilRest();
  await database.bringForward();
  await database.enqueue({ payload: { of: 'added' }, key: 'added', place: 1 });
  await database.untilEmpty();
  expect(calls).toEqual([{ of: 'first' }, { of: 'due' }, { of: 'added' }]);
});

test('D-67 jobs: without notifications, jobs that a repeating job makes due are found after it', async () => {
  const database = await createJobsDatabase();
  const { calls, note } = notes();
  const scan = async () => {
    await untilRest();
    await database.bringForward();
  };
  for (const number of [1, 2, 3]) {
    await database.enqueue({ payload: { number }, key: `${number}`, afterMs: never });
  }
  await database.enqueue({ task: 'scan', key: 'scan' });
  await database.startWorker({ note, scan }, { concurrency: 2, lookMs: never });
  await database.untilEmpty();
  expect(calls).toHaveLength(3);
});

test('D-67 jobs: a heartbeat is no reason to look for jobs', async () => {
  const database = await createJobsDatabase();
  const proxy = await database.openProxy();
  const { note } = notes();
  await database.startWorker({ note }, { databaseUrl: proxy.url, lookMs: never });
  await database.enqueue({});
  await database.untilEmpty();
  const isBeat = (statement: string) => statement.includes('into job_workers');
  const isLook = (statement: string) => statement.startsWith('with j as');
  // The looks of the begin and of the job come first.
  await eventually(async () => {
    const latest = proxy.statements().filter((each) => isBeat(each) || isLook(each));
    return latest.length > 5 && latest.slice(-3).every(isBeat);
  });
});

test('jobs: a notification that anybody else sent is a reason to look, whatever it says', async () => {
  const database = await createJobsDatabase();
  const { calls, note } = notes();
  await database.startWorker({ note }, { lookMs: never });
  await database.enqueue({ payload: { number: 0 } });
  await database.untilEmpty();
  for (const [index, said] of ['x', '{"count":"x"}', 'null'].entries()) {
    const number = index + 1;
    await database.enqueue({ payload: { number }, key: said, afterMs: never });
    await database.bringForward();
    await database.knex.raw(`select pg_notify('jobs:insert', ?)`, [said]);
    await database.untilEmpty();
  }
  expect(calls).toEqual([0, 1, 2, 3].map((number) => ({ number })));
});

/** Starts a pool of one worker, with a connection for its looks and one for notifications. */
function startPool({ url }: JobsDatabase, task: Task['run'], lookMs: number) {
  const connections = openQueueConnections({
    ...{ url, size: 2, applicationName: 'adx-server (jobs)' },
    ...{ onLost: () => {}, onConnectionFailure: () => {} },
  });
  const clients: pg.PoolClient[] = [];
  connections.pool.on('connect', (client) => clients.push(client));
  const pool = createWorkerPool({
    ...{ connections: connections.pool, tasks: { note: { run: task } }, lookMs },
    ...{ concurrency: 1, filePlaces: 1, running: new Map(), logger: createLogger('silent') },
    ...{ check: () => {}, onEnd: () => {}, onLost: () => {} },
  });
  onTestFinished(async () => {
    await pool.finish();
    await connections.close();
  });
  pool.begin();
  return { pool, clients };
}

test('jobs: a pool that has ended leaves no listener on its connections', async () => {
  const database = await createJobsDatabase();
  const { calls, note } = notes();
  await database.enqueue({});
  const { pool, clients } = startPool(database, note, never);
  await eventually(async () => calls.length === 1 && clients.length === 2);
  await pool.finish();
  expect(clients.map((client) => client.listenerCount('notification'))).toEqual([0, 0]);
});

test('D-64 jobs: workers continue after a newer release added a column to the jobs', async () => {
  const database = await createJobsDatabase();
  const { calls, note } = notes();
  startPool(database, note, 100);
  await database.enqueue({ payload: { number: 1 } });
  await database.untilEmpty();
  await database.knex.raw('alter table graphile_worker._private_jobs add column added text');
  await database.enqueue({ payload: { number: 2 } });
  await database.untilEmpty();
  expect(calls).toEqual([{ number: 1 }, { number: 2 }]);
});
