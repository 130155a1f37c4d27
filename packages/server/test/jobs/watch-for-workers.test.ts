import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/operations/support/eventually.js';
import { watchForWorkers } from '../../src/jobs/watch-for-workers.js';
import { createJobsDatabase, type JobsDatabase } from './jobs-database.js';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** What a watch logs, which looks all the time, and how often it has looked. */
function watch({ knex }: JobsDatabase) {
  const stream = new PassThrough();
  const lines: string[] = [];
  stream.on('data', (chunk) => lines.push(String(chunk)));
  let looks = 0;
  knex.on('query-response', () => {
    looks += 1;
  });
  const watch = watchForWorkers({ knex, logger: pino(stream), everyMs: 10 });
  onTestFinished(() => watch.stop());
  return {
    lines,
    stop: watch.stop,
    /** Waits until it has looked again, from begin to end. */
    async look() {
      const before = looks;
      await eventually(async () => looks > before + 2);
    },
  };
}

test('jobs: where no worker is running, jobs that wait for over a minute are told of, not those given up', async () => {
  const jobs = await createJobsDatabase();
  await jobs.enqueue({ key: 'given up', runAt: minutesAgo(2) });
  await jobs.knex.raw(
    `select graphile_worker.permanently_fail_jobs(array_agg(id)) from graphile_worker.jobs`,
  );
  await jobs.enqueue({ key: 'overdue', runAt: minutesAgo(2) });
  await jobs.enqueue({ key: 'recent', runAt: minutesAgo(0) });
  const { lines, stop } = watch(jobs);
  await eventually(async () => lines.length > 0);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    ...{ level: 40, waiting: 1, msg: 'jobs are waiting, but no worker is running' },
  });
  await stop();
});

test('jobs: nothing is told while they are due for less than a minute, or while a worker lives', async () => {
  const jobs = await createJobsDatabase();
  await jobs.enqueue({ key: 'recent', runAt: minutesAgo(0) });
  const { lines, look } = watch(jobs);
  await look();
  await jobs.knex.raw(`insert into job_workers values ('living', now())`);
  await jobs.enqueue({ key: 'overdue', runAt: minutesAgo(2) });
  await look();
  expect(lines).toEqual([]);
  await jobs.knex.raw(`update job_workers set beat_on = now() - interval '21 s'`);
  await eventually(async () => lines.length > 0);
});

test('jobs: a watch that cannot look goes on', async () => {
  const jobs = await createJobsDatabase();
  await jobs.enqueue({ key: 'overdue', runAt: minutesAgo(2) });
  await jobs.knex.raw('alter table job_workers rename to hidden');
  const { lines, stop } = watch(jobs);
  let failures = 0;
  jobs.knex.on('query-error', () => {
    failures += 1;
  });
  await eventually(async () => failures > 1);
  expect(lines).toEqual([]);
  await jobs.knex.raw('alter table hidden rename to job_workers');
  await eventually(async () => lines.length > 0);
  await stop();
});
