import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { watchForWorkers } from '../../src/jobs/watch-for-workers.js';
import { createJobsDatabase, type JobsDatabase } from './jobs-database.js';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/**
 * Starts a watch that checks continuously. Returns its log, and functions that stop it and wait for
 * a check.
 */
function watch({ knex }: JobsDatabase) {
  const stream = new PassThrough();
  const lines: string[] = [];
  stream.on('data', (chunk) => lines.push(String(chunk)));
  let queries = 0;
  knex.on('query-response', () => {
    queries += 1;
  });
  const watch = watchForWorkers({ knex, logger: pino(stream), everyMs: 10 });
  onTestFinished(() => watch.stop());
  return {
    lines,
    stop: watch.stop,
    /** Waits for one complete check. */
    async nextCheck() {
      const before = queries;
      await eventually(async () => queries > before + 2);
    },
  };
}

test('jobs: without a running worker, a warning counts jobs that are due for over a minute, but not failed ones', async () => {
  const jobs = await createJobsDatabase();
  await jobs.enqueue({ key: 'failed', runAt: minutesAgo(2) });
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

test('jobs: there is no warning if jobs are due for less than a minute, or if a worker is alive', async () => {
  const jobs = await createJobsDatabase();
  await jobs.enqueue({ key: 'recent', runAt: minutesAgo(0) });
  const { lines, nextCheck } = watch(jobs);
  await nextCheck();
  await jobs.knex.raw(`insert into job_workers values ('alive', now())`);
  await jobs.enqueue({ key: 'overdue', runAt: minutesAgo(2) });
  await nextCheck();
  expect(lines).toEqual([]);
  await jobs.knex.raw(`update job_workers set beat_on = now() - interval '21 s'`);
  await eventually(async () => lines.length > 0);
});

test('jobs: a watch continues after a failed check', async () => {
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
