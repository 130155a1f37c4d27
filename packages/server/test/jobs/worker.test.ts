import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabaseProxy } from '../../../../test/support/database-proxy.js';
import { eventually } from '../../../../test/support/eventually.js';
import { inTransaction } from '../../src/db/transaction.js';
import { releaseDeadWorkers, releaseWorkers } from '../../src/jobs/heartbeat.js';
import { type Attempt, enqueue } from '../../src/jobs/job.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { programPath } from '../support/program-path.js';
import { createJobsDatabase, type JobsDatabase, notes, signal } from './jobs-database.js';
import { quickHeartbeat } from './quick-heartbeat.js';

test('jobs: four workers run 200 jobs, each of them once', async () => {
  const database = await createJobsDatabase();
  const { calls: done, note } = notes();
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  await database.knex.transaction(async (trx) => {
    for (const number of numbers) {
      await enqueue(trx, { task: 'note', payload: { number }, key: `note:${number}` });
    }
  });
  await Promise.all([1, 2, 3, 4].map(() => database.startWorker({ note }, { concurrency: 2 })));
  await database.untilEmpty();
  expect(done).toHaveLength(200);
  expect(new Set(done.map((payload) => JSON.stringify(payload))).size).toBe(200);
});

test('jobs: a job starts as soon as it is enqueued, and as many run at once as the concurrency allows', async () => {
  const database = await createJobsDatabase();
  const allAtOnce = signal();
  let underWay = 0;
  let most = 0;
  const note = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    if (underWay === 3) allAtOnce.give();
    await allAtOnce.given;
    underWay -= 1;
  };
  await database.startWorker({ note }, { concurrency: 3 });
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await database.enqueue({ key });
  await database.untilEmpty();
  expect(most).toBe(3);
});

/** The heartbeat of tests in which no other worker is alive that could be declared dead. */
const heartbeat = { intervalMs: 100, timeoutMs: 1_000 };

/** Waits until the job of a dead worker is released, and ends the pause before its next attempt. */
async function runReleased(database: JobsDatabase): Promise<void> {
  await eventually(database.queued, ([job]) => job?.locked_by === null);
  await database.bringForward();
  await database.untilEmpty();
}

/** Starts a worker process, and kills it in the middle of its first job. */
async function killDuringJob({ url }: JobsDatabase): Promise<void> {
  const child = spawn(process.execPath, [programPath('worker-process')], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [first] = await Promise.race([once(child.stdout, 'data'), ended]);
  expect(String(first)).toBe('started\n');
  child.kill('SIGKILL');
  await ended;
}

test('jobs: a job whose worker was killed while it ran is run by another worker', async () => {
  const database = await createJobsDatabase();
  await database.enqueue({ payload: { of: 'killed' } });
  await killDuringJob(database);
  expect(await database.queued()).toMatchObject([{ attempts: 1 }]);
  const done: unknown[] = [];
  const note = async (payload: unknown, attempt: Attempt) => {
    done.push({ payload, attempt });
  };
  await database.startWorker({ note }, { heartbeat });
  await runReleased(database);
  expect(done).toMatchObject([
    { payload: { of: 'killed' }, attempt: { number: 2, isLast: false } },
  ]);
});

test('L-06 jobs: if a worker was declared dead, then took a job and was killed, the job is released', async () => {
  const database = await createJobsDatabase();
  await database.enqueue({});
  await killDuringJob(database);
  // Another worker declared it dead before it took the job.
  await database.knex('job_workers').delete();
  const pool = new pg.Pool({ connectionString: database.url });
  onTestFinished(() => pool.end());
  // A worker that was paused may be back before its next heartbeat.
  expect(await releaseDeadWorkers(pool, 3_600_000)).toEqual([]);
  const attempts: Attempt[] = [];
  const note = async (_payload: unknown, attempt: Attempt) => {
    attempts.push(attempt);
  };
  await database.startWorker({ note }, { heartbeat });
  await runReleased(database);
  expect(attempts).toMatchObject([{ number: 2 }]);
});

test('jobs: a last attempt that was interrupted by a kill is repeated as the last one', async () => {
  const database = await createJobsDatabase();
  await database.enqueue({ maxAttempts: 1 });
  await killDuringJob(database);
  const attempts: Attempt[] = [];
  const note = async (_payload: unknown, attempt: Attempt) => {
    attempts.push(attempt);
  };
  await database.startWorker({ note }, { heartbeat });
  await runReleased(database);
  expect(attempts).toMatchObject([{ number: 1, isLast: true }]);
});

test('jobs: a job that was cancelled after its worker died does not run again', async () => {
  const database = await createJobsDatabase();
  await database.enqueue({});
  await killDuringJob(database);
  await database.knex.raw(`select from graphile_worker.remove_job(job_key => 'note')`);
  let calls = 0;
  const note = async () => {
    calls += 1;
  };
  await database.startWorker({ note }, { heartbeat });
  await database.untilEmpty();
  await eventually(async () => (await database.knex('job_workers')).length === 1);
  expect(calls).toBe(0);
});

test('jobs: the jobs of a dead worker are released, even if that deadlocks with a transaction that enqueues them again', async () => {
  const database = await createJobsDatabase();
  const { knex } = database;
  const options = '-c deadlock_timeout=3s';
  const pool = new pg.Pool({ connectionString: database.url, options });
  onTestFinished(() => pool.end());
  for (const key of ['a', 'b']) await database.enqueue({ key });
  const held = { locked_by: 'dead', locked_at: knex.fn.now(), attempts: 1 };
  await knex('graphile_worker._private_jobs').update(held);
  let releasing: Promise<void> | undefined;
  await inTransaction(knex, async (trx) => {
    // The other transaction detects the deadlock first and is aborted.
    await trx.raw(`set local deadlock_timeout = '1min'; set local lock_timeout = 0`);
    await enqueue(trx, { task: 'note', payload: {}, key: 'b' });
    releasing = releaseWorkers(pool, [{ id: 'dead' }]);
    await waitUntilBlocked(knex);
    await enqueue(trx, { task: 'note', payload: {}, key: 'a' });
  });
  await releasing;
  expect(await database.queued()).toMatchObject(
    ['b', 'a'].map((key) => ({ key, locked_by: null, attempts: 0 })),
  );
});

test('jobs: a worker with a heartbeat keeps its jobs, however long they take', async () => {
  const database = await createJobsDatabase();
  const [started, goOn] = [signal(), signal()];
  let calls = 0;
  const note = async () => {
    calls += 1;
    started.give();
    await goOn.given;
  };
  await database.startWorker({ note });
  await database.enqueue({});
  await started.given;
  await database.startWorker({ note });
  // Until both have sent heartbeats for longer than the timeout.
  const begin = await databaseTime(database);
  await eventually(async () => {
    const { rows } = await database.knex.raw(
      'select min(beat_on) as beat_on, count(*) as workers from job_workers',
    );
    return rows[0].workers === 2 && rows[0].beat_on - begin > 2 * quickHeartbeat.timeoutMs;
  });
  goOn.give();
  await database.untilEmpty();
  expect(calls).toBe(1);
});

async function databaseTime({ knex }: JobsDatabase): Promise<number> {
  const { rows } = await knex.raw<{ rows: { now: Date }[] }>('select now()');
  return Number(rows[0]?.now);
}

test('jobs: a worker that was wrongly declared dead continues and runs no job twice', async () => {
  const database = await createJobsDatabase();
  const [started, goOn] = [signal(), signal()];
  const done: string[] = [];
  await database.startWorker({
    note: async () => {
      started.give();
      await goOn.given;
      done.push('paused');
    },
  });
  await database.enqueue({ key: 'first' });
  await started.given;
  // Another worker releases the jobs of this one in the same way when its heartbeats stop.
  await database.knex.raw(
    `select graphile_worker.force_unlock_workers(array(select id from job_workers))`,
  );
  const other = await database.startWorker({
    note: async () => {
      done.push('other');
    },
  });
  await database.untilEmpty();
  await other.stop();
  goOn.give();
  await database.enqueue({ key: 'second' });
  await database.untilEmpty();
  expect(done).toEqual(['other', 'paused', 'paused']);
});

test('jobs: the log has the outcome of each job, but not its payload', async () => {
  const database = await createJobsDatabase();
  const lines: string[] = [];
  await database.startWorker(
    {
      note: async (_payload, { number }) => {
        if (number < 3) throw new Error(`failure ${number}`);
      },
      fail: async () => {
        throw new Error('permanent');
      },
    },
    { logger: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }) },
  );
  await database.enqueue({ payload: { to: 'an@bakkerij.example' } });
  for (const number of [1, 2]) {
    await eventually(database.queued, ([job]) => job?.last_error === `failure ${number}`);
    await database.bringForward();
  }
  await database.untilEmpty();
  await database.enqueue({ task: 'fail', payload: { to: 'an@bakkerij.example' }, maxAttempts: 1 });
  await eventually(database.queued, ([job]) => job?.last_error === 'permanent');
  const entries = lines.map((line) => JSON.parse(line));
  expect(entries.filter(({ task }) => task !== undefined)).toMatchObject([
    { level: 40, task: 'note', key: 'note', attempt: 1, msg: 'job failed, will be retried' },
    { level: 40, task: 'note', attempt: 2, msg: 'job failed, will be retried' },
    { level: 30, task: 'note', attempt: 3, msg: 'job done' },
    {
      level: 50,
      task: 'fail',
      attempt: 1,
      msg: 'job failed for the last time',
      err: { message: 'permanent' },
    },
  ]);
  expect(lines.join('')).not.toContain('bakkerij');
});

test('jobs: a worker does not start without its database', async () => {
  const database = await createJobsDatabase();
  const proxy = await openDatabaseProxy(database.url);
  await proxy.close();
  await expect(
    database.startWorker({ note: async () => {} }, { databaseUrl: proxy.url }),
  ).rejects.toThrow('ECONNREFUSED');
});
