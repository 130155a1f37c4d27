import type { Knex } from 'knex';
import { onTestFinished } from 'vitest';
import { createKnex } from '../../src/db/knex.js';
import { enqueue, type Job, type Tasks } from '../../src/jobs/job.js';
import { startWorker, type WorkerOptions } from '../../src/jobs/worker.js';
import { createLogger } from '../../src/logger.js';
import { createTestDatabase } from '../support/database.js';
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

/** A database of a test's own, and what happens to the jobs in it. */
export interface JobsDatabase {
  readonly url: string;
  readonly knex: Knex;
  /** Starts a worker that is stopped when the test is done. */
  startWorker(tasks: Tasks, options?: Partial<WorkerOptions>): ReturnType<typeof startWorker>;
  /** Enqueues in a transaction that commits. */
  enqueue(job: Partial<Job>): Promise<void>;
  queued(): Promise<QueuedJob[]>;
  /** Lets the time of every waiting job come. */
  bringForward(): Promise<void>;
}

export async function createJobsDatabase(): Promise<JobsDatabase> {
  const database = await createTestDatabase();
  const knex = createKnex(database.url);
  onTestFinished(async () => {
    await knex.destroy();
    await database.drop();
  });
  return {
    url: database.url,
    knex,
    async startWorker(tasks, options = {}) {
      const worker = await startWorker({
        databaseUrl: database.url,
        tasks,
        concurrency: 1,
        logger: createLogger('silent'),
        heartbeat: quickHeartbeat,
        drainMs: 1_000,
        ...options,
      });
      onTestFinished(() => worker.stop());
      return worker;
    },
    async enqueue(job) {
      await knex.transaction((trx) =>
        enqueue(trx, { task: 'note', payload: {}, key: 'note', ...job }),
      );
    },
    queued: () => knex('graphile_worker.jobs').orderBy('id'),
    async bringForward() {
      await knex.raw(
        `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now())
           from graphile_worker.jobs where locked_at is null`,
      );
    },
  };
}

/** A promise and the way to fulfil it. */
export function signal(): { readonly given: Promise<void>; give(): void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
