import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabaseProxy } from '../../../../test/operations/database-proxy.js';
import { eventually } from '../../../../test/operations/eventually.js';
import { inTransaction } from '../../src/db/transaction.js';
import { releaseWorkers } from '../../src/jobs/heartbeat.js';
import { type Attempt, enqueue } from '../../src/jobs/job.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { programPath } from '../support/program-path.js';
import { createJobsDatabase, type JobsDatabase, signal } from './jobs-database.js';
import { quickHeartbeat } from './quick-heartbeat.js';

const isEmpty = (jobs: readonly unknown[]) => jobs.length === 0;

/** Lets a worker of another process begin a job, and kills it in the middle of it. */
async function killInTheMiddle({ url }: JobsDatabase): Promise<void> {
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

test('jobs: four workers do 200 jobs, each of them once', async () => {
  const database = await createJobsDatabase();
  const done: unknown[] = [];
  const note = async (payload: unknown) => {
    done.push(payload);
  };
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  await database.knex.transaction(async (trx) => {
    for (const number of numbers) {
      await enqueue(trx, { task: 'note', payload: { number }, key: `note:${number}` });
    }
  });
  await Promise.all([1, 2, 3, 4].map(() => database.startWorker({ note }, { concurrency: 2 })));
  await eventually(database.queued, isEmpty);
  expect(done).toHaveLength(200);
  expect(new Set(done.map((payload) => JSON.stringify(payload))).size).toBe(200);
});

test('jobs: a job is worked on as soon as it is there, and as many at once as are allowed', async () => {
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
  await eventually(database.queued, isEmpty);
  expect(most).toBe(3);
});

test('jobs: the job of a worker that was killed in the middle of it is done by another', async () => {
  const database = await createJobsDatabase();
  await database.enqueue({ payload: { of: 'killed' } });
  await killInTheMiddle(database);
  expect(await database.queued()).toMatchObject([{ attempts: 1 }]);
  const done: unknown[] = [];
  await database.startWorker({
    note: async (payload, attempt) => {
      done.push({ payload, attempt });
    },
  });
  await eventually(database.queued, isEmpty);
  expect(done).toEqual([{ payload: { of: 'killed' }, attempt: { number: 2, isLast: false } }]);
});

test('jobs: a last attempt that was cut off by a kill is made again, as the last', async () => {
  const database = await createJobsDatabase();
  await database.enqueue({ maxAttempts: 1 });
  await killInTheMiddle(database);
  const attempts: Attempt[] = [];
  await database.startWorker({
    note: async (_payload, attempt) => {
      attempts.push(attempt);
    },
  });
  await eventually(database.queued, isEmpty);
  expect(attempts).toEqual([{ number: 1, isLast: true }]);
});

test('jobs: a job that was cancelled while a worker died over it is gone', async () => {
  const database = await createJobsDatabase();
  await database.enqueue({});
  await killInTheMiddle(database);
  await database.knex.raw(`select from graphile_worker.remove_job(job_key => 'note')`);
  let calls = 0;
  const note = async () => {
    calls += 1;
  };
  await database.startWorker({ note });
  await eventually(database.queued, isEmpty);
  await eventually(async () => (await database.knex('job_workers')).length === 1);
  expect(calls).toBe(0);
});

test('jobs: the jobs of a dead worker are released although that deadlocks with a transaction that enqueues them anew', async () => {
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
    // The other one is first to see that both wait, and gives way.
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

test('jobs: the jobs of a worker that beats are left to it, however long they take', async () => {
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
  // Until both have beaten for longer than anyone may be silent.
  const begin = await databaseTime(database);
  await eventually(async () => {
    const { rows } = await database.knex.raw(
      'select min(beat_on) as beat_on, count(*) as workers from job_workers',
    );
    return rows[0].workers === 2 && rows[0].beat_on - begin > 2 * quickHeartbeat.timeoutMs;
  });
  goOn.give();
  await eventually(database.queued, isEmpty);
  expect(calls).toBe(1);
});

async function databaseTime({ knex }: JobsDatabase): Promise<number> {
  const { rows } = await knex.raw<{ rows: { now: Date }[] }>('select now()');
  return Number(rows[0]?.now);
}

test('jobs: a worker that was taken for dead by mistake does no harm and goes on', async () => {
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
  // As another worker does when the first was silent for too long.
  await database.knex.raw(
    `select graphile_worker.force_unlock_workers(array(select id from job_workers))`,
  );
  const other = await database.startWorker({
    note: async () => {
      done.push('other');
    },
  });
  await eventually(database.queued, isEmpty);
  await other.stop();
  goOn.give();
  await database.enqueue({ key: 'second' });
  await eventually(database.queued, isEmpty);
  expect(done).toEqual(['other', 'paused', 'paused']);
});

test('jobs: a worker goes on when its connections were ended, also in the middle of a job', async () => {
  const database = await createJobsDatabase();
  const [started, goOn] = [signal(), signal()];
  const done: unknown[] = [];
  await database.startWorker({
    note: async (payload) => {
      started.give();
      await goOn.given;
      done.push(payload);
    },
  });
  await database.enqueue({ payload: { number: 1 } });
  await started.given;
  const connections = await connectionsOf(database);
  expect(connections.length).toBeGreaterThan(0);
  for (const { pid } of connections) {
    await database.knex.raw('select pg_terminate_backend(?::int)', [pid]);
  }
  goOn.give();
  await eventually(database.queued, isEmpty);
  await database.enqueue({ payload: { number: 2 } });
  await eventually(database.queued, isEmpty);
  expect(done).toEqual([{ number: 1 }, { number: 2 }]);
});

test('jobs: a worker goes on when its connections were cut in the middle of a statement', async () => {
  const database = await createJobsDatabase();
  const proxy = await openDatabaseProxy(database.url);
  onTestFinished(() => proxy.close());
  const done: unknown[] = [];
  const note = async (payload: unknown) => {
    done.push(payload);
  };
  await database.startWorker({ note }, { databaseUrl: proxy.url });
  await database.knex.transaction(async (trx) => {
    await trx.raw('lock table graphile_worker._private_jobs, job_workers');
    // One looks for a job, one beats, and a worker that is starting has more to do.
    const waiting = async () => (await connectionsOf(database)).filter(({ waits }) => waits);
    await eventually(waiting, ({ length }) => length >= 2);
    await proxy.cut();
  });
  await proxy.restore();
  await database.enqueue({ payload: { number: 1 } });
  await eventually(database.queued, isEmpty);
  expect(done).toEqual([{ number: 1 }]);
});

test('jobs: after an outage workers have the time to speak before anyone is taken for dead', async () => {
  const database = await createJobsDatabase();
  const proxies = [await openDatabaseProxy(database.url), await openDatabaseProxy(database.url)];
  for (const proxy of proxies) onTestFinished(() => proxy.close());
  const [bothStarted, goOn] = [signal(), signal()];
  let calls = 0;
  const note = async () => {
    calls += 1;
    if (calls === 2) bothStarted.give();
    await goOn.given;
  };
  const heartbeat = { intervalMs: 100, timeoutMs: 6_000 };
  for (const { url } of proxies)
    await database.startWorker({ note }, { databaseUrl: url, heartbeat });
  for (const key of ['1', '2']) await database.enqueue({ key });
  await bothStarted.given;
  const beats = async () => {
    const { rows } = await database.knex.raw(
      `select max(beat_on) as latest, extract(epoch from now() - max(beat_on)) * 1000 as silence,
              extract(epoch from now() - min(beat_on)) * 1000 as longest from job_workers`,
    );
    const [{ latest, silence, longest }] = rows;
    return { latest: Number(latest), silence: Number(silence), longest: Number(longest) };
  };
  for (const proxy of proxies) await proxy.cut();
  let seen = await eventually(beats, ({ silence }) => silence > heartbeat.timeoutMs);
  // One is back before the other. It beats twice in its first round, so that round, in which it
  // could judge the other, is over with the third beat.
  await proxies[0]?.restore();
  for (let beat = 1; beat <= 3; beat += 1) {
    const { latest } = seen;
    seen = await eventually(beats, (now) => now.latest > latest);
  }
  await proxies[1]?.restore();
  await eventually(beats, ({ longest }) => longest < heartbeat.timeoutMs / 2);
  // A third would first do what had been taken from them.
  await database.startWorker({ note, last: async () => {} });
  await database.enqueue({ task: 'last', key: 'last' });
  await eventually(database.queued, ({ length }) => length === 2);
  expect(calls).toBe(2);
  goOn.give();
  await eventually(database.queued, isEmpty);
});

test('jobs: when the database is away a worker waits for it, and does nothing twice', async () => {
  const database = await createJobsDatabase();
  const proxy = await openDatabaseProxy(database.url);
  onTestFinished(() => proxy.close());
  const [started, goOn, bothAtOnce] = [signal(), signal(), signal()];
  const done: unknown[] = [];
  let underWay = 0;
  const lines: string[] = [];
  const logged = (text: string) =>
    eventually(async () => lines.some((line) => line.includes(text)));
  await database.startWorker(
    {
      note: async (payload) => {
        started.give();
        await goOn.given;
        done.push(payload);
      },
      meet: async () => {
        underWay += 1;
        if (underWay === 2) bothAtOnce.give();
        await bothAtOnce.given;
      },
    },
    {
      databaseUrl: proxy.url,
      concurrency: 2,
      logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    },
  );
  await database.enqueue({ payload: { number: 1 }, key: '1' });
  await started.given;
  await proxy.cut();
  goOn.give();
  await logged('the database is unreachable, retrying');
  await logged('Failed to release job');
  await database.enqueue({ payload: { number: 2 }, key: '2' });
  await proxy.restore();
  await logged('the database is reachable again');
  await eventually(database.queued, isEmpty);
  expect(done).toEqual([{ number: 1 }, { number: 2 }]);
  // It works with as many at once as before.
  for (const key of ['3', '4']) await database.enqueue({ task: 'meet', key });
  await eventually(database.queued, isEmpty);
});

test('jobs: connections that fall silent are given up for new ones', async () => {
  const database = await createJobsDatabase();
  const done: unknown[] = [];
  await database.startWorker({
    note: async (payload) => {
      done.push(payload);
    },
  });
  await database.enqueue({ payload: { number: 1 } });
  await eventually(database.queued, isEmpty);
  const connections = await connectionsOf(database);
  expect(connections.length).toBeGreaterThan(0);
  for (const { pid } of connections) process.kill(pid, 'SIGSTOP');
  try {
    await database.enqueue({ payload: { number: 2 } });
    await eventually(database.queued, isEmpty);
  } finally {
    for (const { pid } of connections) process.kill(pid, 'SIGCONT');
  }
  expect(done).toEqual([{ number: 1 }, { number: 2 }]);
});

test('jobs: a worker that is stopped finishes its job and takes no other', async () => {
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
  for (const { pid } of await connectionsOf(database)) {
    await database.knex.raw('select pg_terminate_backend(?::int)', [pid]);
  }
  // The one that has the job, and the one that took its place.
  await eventually(async () => (await database.knex('job_workers')).length === 2);
  const stopped = worker.stop().then(() => done.push('stopped'));
  await sleep(500);
  goOn.give();
  await stopped;
  expect(done).toEqual(['finished', 'stopped']);
  expect(await database.queued()).toEqual([]);
});

test('jobs: a worker that has stopped leaves nothing behind', async () => {
  const database = await createJobsDatabase();
  const worker = await database.startWorker({ note: async () => {} }, { concurrency: 4 });
  await eventually(async () => (await database.knex('job_workers')).length === 4);
  await worker.stop();
  expect(await database.knex('job_workers')).toEqual([]);
  await eventually(async () => (await connectionsOf(database)).length === 0);
});

test('jobs: a worker that is stopped hands over at once what does not end in time', async () => {
  const database = await createJobsDatabase();
  const [started, goOn] = [signal(), signal()];
  const done: string[] = [];
  // Nobody finds out by the silence.
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
  await eventually(database.queued, isEmpty);
  goOn.give();
  await eventually(async () => done.length === 2);
  expect(done).toEqual(['other, attempt 2', 'late']);
});

test('jobs: a worker can be stopped while the database is silent', async () => {
  const database = await createJobsDatabase();
  const proxy = await openDatabaseProxy(database.url);
  onTestFinished(() => proxy.close());
  const worker = await database.startWorker({ note: async () => {} }, { databaseUrl: proxy.url });
  await eventually(async () => (await database.knex('job_workers')).length === 1);
  proxy.silence();
  await Promise.all([worker.stop(), worker.stop()]);
});

test('jobs: a worker does not start without its database', async () => {
  const database = await createJobsDatabase();
  const proxy = await openDatabaseProxy(database.url);
  await proxy.close();
  await expect(
    database.startWorker({ note: async () => {} }, { databaseUrl: proxy.url }),
  ).rejects.toThrow('ECONNREFUSED');
});

test('jobs: the log tells how jobs went, and nothing of what is in them', async () => {
  const database = await createJobsDatabase();
  const lines: string[] = [];
  await database.startWorker(
    {
      note: async (_payload, { number }) => {
        if (number < 3) throw new Error(`failure ${number}`);
      },
      fail: async () => {
        throw new Error('for good');
      },
    },
    { logger: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }) },
  );
  await database.enqueue({ payload: { to: 'an@bakkerij.example' } });
  for (const number of [1, 2]) {
    await eventually(database.queued, ([job]) => job?.last_error === `failure ${number}`);
    await database.bringForward();
  }
  await eventually(database.queued, isEmpty);
  await database.enqueue({ task: 'fail', payload: { to: 'an@bakkerij.example' }, maxAttempts: 1 });
  await eventually(database.queued, ([job]) => job?.last_error === 'for good');
  const entries = lines.map((line) => JSON.parse(line));
  expect(entries.filter(({ task }) => task !== undefined)).toMatchObject([
    { level: 40, task: 'note', attempt: 1, msg: 'job failed, will be retried' },
    { level: 40, task: 'note', attempt: 2, msg: 'job failed, will be retried' },
    { level: 30, task: 'note', attempt: 3, msg: 'job done' },
    {
      level: 50,
      task: 'fail',
      attempt: 1,
      msg: 'job failed for the last time',
      err: { message: 'for good' },
    },
  ]);
  expect(lines.join('')).not.toContain('bakkerij');
});

/** The server's processes for the connections of workers, and whether they wait for a lock. */
async function connectionsOf({ knex }: JobsDatabase): Promise<{ pid: number; waits: boolean }[]> {
  return knex('pg_stat_activity')
    .select('pid', knex.raw(`wait_event_type is not distinct from 'Lock' as waits`))
    .whereRaw(`datname = current_database() and application_name = 'adx jobs'`);
}
