import { onTestFinished } from 'vitest';
import { openDatabaseProxy } from '../../../../test/support/database-proxy.js';
import { eventually } from '../../../../test/support/eventually.js';
import { enqueue, type Job, type Task } from '../../src/jobs/job.js';
import { startWorker, type WorkerOptions } from '../../src/jobs/worker.js';
import { createLogger } from '../../src/logger.js';
import { reuseTestDatabase } from '../support/knex-for-file.js';
import { quickHeartbeat } from './quick-heartbeat.js';

/** A job in the queue, as graphile-worker shows it. */
export interface QueuedJob {
  readonly id: string;
  readonly key: string | null;
  readonly attempts: number;
  readonly run_at: Date;
  readonly locked_by: string | null;
  readonly last_error: string | null;
}

export type JobsDatabase = Awaited<ReturnType<typeof createJobsDatabase>>;

/** Prepares a database for one test. */
export async function createJobsDatabase() {
  const { url, knex } = await reuseTestDatabase(onTestFinished);
  const queued = (): Promise<QueuedJob[]> => knex('graphile_worker.jobs').orderBy('id');
  const connections = () =>
    knex('pg_stat_activity').whereRaw(
      `datname = current_database() and application_name = 'adx-server (jobs)'`,
    );
  return {
    url,
    knex,
    /** Starts a worker that is stopped at the end of the test. */
    async startWorker(
      tasks: Readonly<Record<string, Task | Task['run']>>,
      options: Partial<WorkerOptions> = {},
    ): ReturnType<typeof startWorker> {
      const worker = await startWorker({
        databaseUrl: url,
        tasks: Object.fromEntries(
          Object.entries(tasks).map(([name, task]) => [
            name,
            typeof task === 'function' ? { run: task } : task,
          ]),
        ),
        concurrency: 1,
        logger: createLogger('silent'),
        heartbeat: quickHeartbeat,
        drainMs: 1_000,
        ...options,
      });
      onTestFinished(() => worker.stop());
      return worker;
    },
    /** Enqueues in a transaction that commits. */
    async enqueue(job: Partial<Job>) {
      await knex.transaction((trx) =>
        enqueue(trx, { task: 'note', payload: {}, key: 'note', ...job }),
      );
    },
    queued,
    /** Waits until no job is queued. */
    untilEmpty: () => eventually(queued, (jobs) => jobs.length === 0),
    /** Returns the workers' sessions in PostgreSQL; `waits` is true if one waits for a lock. */
    async connections(): Promise<readonly { readonly pid: number; readonly waits: boolean }[]> {
      return connections().select(
        'pid',
        knex.raw(`wait_event_type is not distinct from 'Lock' as waits`),
      );
    },
    /** Ends the sessions of the workers. */
    async endConnections() {
      await connections().select(knex.raw('pg_terminate_backend(pid)'));
    },
    /** Opens a proxy, which is closed at the end of the test. */
    async openProxy() {
      const proxy = await openDatabaseProxy(url);
      onTestFinished(() => proxy.close());
      return proxy;
    },
    /** Makes all waiting jobs due now. */
    async bringForward() {
      await knex.raw(
        `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now())
           from graphile_worker.jobs where locked_at is null`,
      );
    },
  };
}

/** Returns a task that records its payloads. */
export function notes() {
  const calls: unknown[] = [];
  const note = async (payload: unknown) => void calls.push(payload);
  return { calls, note };
}

/** Returns a task that records its payloads once it may end. */
export function heldNotes() {
  const [started, goOn] = [signal(), signal()];
  const done: unknown[] = [];
  const note = async (payload: unknown) => {
    started.give();
    await goOn.given;
    done.push(payload);
  };
  return { started, goOn, done, note };
}

/** Returns a promise, and a function that resolves it. */
export function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
