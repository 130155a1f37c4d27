import { expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { type Attempt, enqueue, enqueueAll, type Job } from '../../src/jobs/job.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { createJobsDatabase, notes, signal } from './jobs-database.js';

test('jobs: a job runs once if its transaction commits, and never if it does not', async () => {
  const database = await createJobsDatabase();
  const { calls, note } = notes();
  await database.startWorker({ note });
  const undone = database.knex.transaction(async (trx) => {
    await enqueue(trx, { task: 'note', payload: { of: 'undone' }, key: 'undone' });
    throw new Error('rolled back');
  });
  await expect(undone).rejects.toThrow('rolled back');
  await database.enqueue({ payload: { of: 'done?' }, key: 'done?' });
  await database.untilEmpty();
  // All earlier jobs of the queue have run too.
  await database.enqueue({ payload: { of: 'last' }, key: 'last' });
  await database.untilEmpty();
  expect(calls).toEqual([{ of: 'done?' }, { of: 'last' }]);
});

test('jobs: a job with the same key replaces the waiting one completely', async () => {
  const database = await createJobsDatabase();
  await database.enqueue({ payload: { version: 1 }, maxAttempts: 3, runAt: new Date(0) });
  await database.enqueue({ payload: { version: 2 } });
  await database.enqueue({ payload: { version: 'other' }, key: 'other' });
  expect(await database.queued()).toMatchObject([
    { key: 'note', max_attempts: 25 },
    { key: 'other' },
  ]);
  const { calls, note } = notes();
  await database.startWorker({ note });
  await database.untilEmpty();
  expect(calls).toHaveLength(2);
  expect(calls).toEqual(expect.arrayContaining([{ version: 2 }, { version: 'other' }]));
});

test('jobs: a job that is enqueued again while it runs is not retried, and the new one runs', async () => {
  const database = await createJobsDatabase();
  const [started, goOn] = [signal(), signal()];
  const calls: unknown[] = [];
  await database.enqueue({ payload: { version: 1 } });
  await database.startWorker({
    note: async (payload) => {
      calls.push(payload);
      started.give();
      await goOn.given;
      throw new Error('failed');
    },
  });
  await started.given;
  await database.enqueue({ payload: { version: 2 }, maxAttempts: 1 });
  goOn.give();
  await eventually(async () => calls.length === 2);
  expect(calls).toEqual([{ version: 1 }, { version: 2 }]);
});

test('jobs: many jobs are added at once, one that begins meanwhile separately', async () => {
  const database = await createJobsDatabase();
  const { knex } = database;
  await database.enqueue({ key: 'begins' });
  await database.enqueue({ key: 'waits', runAt: new Date(1), payload: { version: 1 } });
  const taking = await knex.transaction();
  await taking('graphile_worker._private_jobs')
    .where({ key: 'begins' })
    .update({ locked_by: 'worker', locked_at: new Date() });
  const note = { task: 'note', payload: { version: 2 } };
  const jobs: Job[] = [
    { ...note, key: 'first', afterMs: 3_600_000, place: 7, maxAttempts: 3, limit: 'mail' },
    { ...note, key: 'begins' },
    { ...note, key: 'waits', runAt: new Date(1) },
  ];
  const enqueued = knex.transaction(async (trx) => {
    await enqueueAll(trx, []);
    await enqueueAll(trx, jobs);
  });
  await waitUntilBlocked(knex);
  await taking.commit();
  await enqueued;
  const rows = await knex('graphile_worker.jobs as j')
    .join('graphile_worker._private_jobs as p', 'p.id', 'j.id')
    .orderByRaw('j.key nulls last')
    .select('j.key', 'j.run_at', 'j.priority', 'j.max_attempts', 'j.flags', 'p.payload');
  const usual = { priority: 0, max_attempts: 25, flags: null, payload: { version: 2 } };
  expect(rows).toMatchObject([
    { ...usual, key: 'begins' },
    { ...usual, key: 'first', priority: 7, max_attempts: 3, flags: { mail: true } },
    { ...usual, key: 'waits', run_at: new Date(1) },
    { key: null },
  ]);
  expect(rows[1].run_at.getTime() - Date.now()).toBeGreaterThan(3_500_000);
});

test('jobs: many jobs are added without reading the queue for each of them', async () => {
  const { knex } = await createJobsDatabase();
  const jobsOf = (name: string): Job[] =>
    Array.from({ length: 300 }, (_, number) => ({
      ...{ task: 'note', payload: { number }, key: `${name}:${number}` },
    }));
  await knex.transaction(async (trx) => {
    expect(await enqueueAll(trx, [...jobsOf('a'), ...jobsOf('a')])).toBe(300);
    expect(await enqueueAll(trx, jobsOf('b'))).toBe(300);
    const { read } = await trx('pg_stat_xact_user_tables')
      .where({ relname: '_private_jobs' })
      .first('seq_tup_read as read');
    expect(read).toBeLessThanOrEqual(3 * 600);
  });
  expect(await knex('graphile_worker.jobs').pluck('key')).toHaveLength(600);
});

test('jobs: a job does not run before its time', async () => {
  const database = await createJobsDatabase();
  const { calls, note } = notes();
  const runAt = new Date(Date.now() + 86_400_000);
  await database.startWorker({ note });
  await database.enqueue({ payload: { of: 'tomorrow' }, key: 'tomorrow', runAt });
  await database.enqueue({ payload: { of: 'today' }, key: 'today' });
  const waiting = await eventually(database.queued, ({ length }) => length === 1);
  expect(waiting).toMatchObject([{ key: 'tomorrow', attempts: 0, run_at: runAt }]);
  expect(calls).toEqual([{ of: 'today' }]);
  await database.bringForward();
  await database.untilEmpty();
  expect(calls).toEqual([{ of: 'today' }, { of: 'tomorrow' }]);
});

test('jobs: a failing task is retried with increasing delays, and is told its last attempt', async () => {
  const database = await createJobsDatabase();
  const attempts: Attempt[] = [];
  await database.enqueue({ maxAttempts: 3 });
  await database.startWorker({
    note: async (_payload, attempt) => {
      attempts.push(attempt);
      throw new Error(`failure ${attempt.number}`);
    },
  });
  const waits: number[] = [];
  for (const number of [1, 2, 3]) {
    const [job] = await eventually(
      database.queued,
      ([each]) => each?.last_error === `failure ${number}`,
    );
    expect(job).toMatchObject({ attempts: number, locked_by: null });
    const [{ wait } = { wait: 0 }] = await database
      .knex('graphile_worker.jobs')
      .select(database.knex.raw('extract(epoch from run_at - updated_at)::float8 as wait'));
    waits.push(wait);
    await database.bringForward();
  }
  expect(attempts).toMatchObject([
    { number: 1, isLast: false },
    { number: 2, isLast: false },
    { number: 3, isLast: true },
  ]);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(waits[0]).toBeGreaterThan(1);
  // It stays visible, and there is no fourth attempt.
  await database.enqueue({ key: 'after', task: 'other' });
  const left = await database.queued();
  expect(left).toMatchObject([{ attempts: 3, last_error: 'failure 3' }, { key: 'after' }]);
  expect(attempts).toHaveLength(3);
});

test('jobs: a payload is passed on unchanged, with any characters, and without the trace that it carries (D-55)', async () => {
  const database = await createJobsDatabase();
  const { calls, note } = notes();
  const payload = {
    text: `'; drop table firms; -- ? $1 "é\n€`,
    list: [1, null],
    nested: { a: true },
  };
  const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  await database.enqueue({ payload: { ...payload, trace }, key: `key'"?$1` });
  await database.startWorker({ note });
  await database.untilEmpty();
  expect(calls).toEqual([payload]);
});

test('D-67 jobs: firms take turns, however many jobs one of them has', async () => {
  const database = await createJobsDatabase();
  const { calls, note } = notes();
  for (const [place, of] of [...'aaaa'].entries()) {
    await database.enqueue({ payload: { of, place }, key: `${of}${place}`, place });
  }
  await database.enqueue({ payload: { of: 'b', place: 0 }, key: 'b0' });
  // All that are beyond the last place run in the order of their age.
  await database.enqueue({ payload: { of: 'c' }, key: 'c', place: 1_000_000 });
  await database.enqueue({ payload: { of: 'd' }, key: 'd', place: 1_000 });
  await database.startWorker({ note });
  await database.untilEmpty();
  expect(calls).toEqual([
    { of: 'a', place: 0 },
    { of: 'b', place: 0 },
    ...[1, 2, 3].map((place) => ({ of: 'a', place })),
    { of: 'c' },
    { of: 'd' },
  ]);
});

test('D-67 jobs: a process runs no more jobs of a kind at once than its limit, and others do not wait for them', async () => {
  const database = await createJobsDatabase();
  const goOn = signal();
  let running = 0;
  let most = 0;
  const ended: unknown[] = [];
  const task = async (payload: unknown) => {
    if (JSON.stringify(payload).includes('slow')) {
      running += 1;
      most = Math.max(most, running);
      await goOn.given;
      running -= 1;
    }
    ended.push(payload);
  };
  for (const number of [1, 2, 3, 4, 5]) {
    await database.enqueue({ payload: { slow: number }, key: `slow ${number}`, limit: 'mail' });
  }
  await database.startWorker({ note: task }, { concurrency: 4 });
  await eventually(async () => running === 2);
  await database.enqueue({ payload: { of: 'other' }, key: 'other', place: 9 });
  await eventually(async () => ended.length === 1);
  expect(ended).toEqual([{ of: 'other' }]);
  goOn.give();
  await database.untilEmpty();
  expect(ended).toHaveLength(6);
  expect(most).toBe(2);
});

test('D-67 jobs: a task that can give up does so after its last attempt', async () => {
  const database = await createJobsDatabase();
  const events: string[] = [];
  const note = {
    async run(_payload: unknown, { number, isLast }: Attempt) {
      events.push(`attempt ${number}${isLast ? ', the last' : ''}`);
      throw new Error(`failure ${number}`);
    },
    async giveUp(payload: unknown, reason: string) {
      events.push(`${JSON.stringify(payload)}: ${reason}`);
    },
  };
  await database.enqueue({ payload: { of: 'job' }, maxAttempts: 7 });
  await database.startWorker({ note });
  await eventually(database.queued, ([job]) => job?.last_error === 'failure 1');
  await database.bringForward();
  await database.untilEmpty();
  expect(events).toEqual(['attempt 1', 'attempt 2, the last', '{"of":"job"}: failure 2']);
});

test('D-67 jobs: a job whose process ended during its last attempt is given up without another one, also if that fails at first', async () => {
  const database = await createJobsDatabase();
  await database.enqueue({ maxAttempts: 7 });
  const ended = { attempts: 2, last_error: 'The worker ended during the attempt' };
  await database.knex('graphile_worker._private_jobs').update(ended);
  const reasons: string[] = [];
  const note = {
    run: async () => expect.fail(),
    async giveUp(_payload: unknown, reason: string) {
      reasons.push(reason);
      if (reasons.length === 1) throw new Error('The database is away');
    },
  };
  await database.startWorker({ note });
  await eventually(database.queued, ([job]) => job?.attempts === 3 && job.locked_by === null);
  await database.bringForward();
  await database.untilEmpty();
  const reason = 'The worker ended during the attempt';
  expect(reasons).toEqual([reason, reason]);
});
