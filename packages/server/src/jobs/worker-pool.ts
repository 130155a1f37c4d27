import { EventEmitter } from 'node:events';
import { runTaskList, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { EndedWorker } from './heartbeat.js';
import type { Tasks } from './job.js';
import { createQueueLog } from './queue-connections.js';

/**
 * How often each worker looks for jobs, in ms: for those whose time has come, and for all where the
 * notice of a new one does not arrive, as behind PgBouncer.
 */
const POLL_MS = 1_000;

interface CrewOptions {
  readonly pool: pg.Pool;
  readonly tasks: Tasks;
  /** How many workers; each does one job at a time. */
  readonly concurrency: number;
  readonly logger: Logger;
  /** A worker could not record how its job ended, and is gone: the job is still locked by it. */
  readonly onLost: (worker: EndedWorker) => void;
}

/** The workers of graphile-worker over one pool. */
export interface Crew {
  /** Those that may hold a job. */
  readonly workerIds: ReadonlySet<string>;
  /** Whether a worker of it was lost, or could not look for jobs. */
  isBroken(): boolean;
  /** Until this is called no worker takes a job. */
  begin(): void;
  /** Takes no further jobs; fulfilled when those under way have ended. */
  finish(): Promise<void>;
  /** Forgets the jobs under way. */
  abandon(): void;
}

/** Brings workers together, who start when told to. */
export function createCrew({ pool, tasks, concurrency, logger, onLost }: CrewOptions): Crew {
  let isBroken = false;
  const workerIds = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  events.on('worker:create', ({ worker }) => workerIds.add(worker.workerId));
  // One that fails the very first time goes on failing: graphile-worker keeps the refused answer.
  events.on('worker:getJob:error', () => {
    isBroken = true;
  });
  events.on('worker:fatalError', ({ worker, jobError }) => {
    isBroken = true;
    workerIds.delete(worker.workerId);
    const job = worker.getActiveJob();
    const isDone = job !== null && !jobError;
    onLost({ id: worker.workerId, ...(isDone && { doneJobId: job.id }) });
  });

  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const workers = runTaskList(
    {
      schema: 'graphile_worker',
      concurrency,
      pollInterval: POLL_MS,
      // Behind PgBouncer the next statement may meet another connection.
      noPreparedStatements: true,
      noHandleSignals: true,
      logger: createQueueLog(logger),
      events,
      // Asked before every look for a job: jobs have no flags, but the look has to wait.
      forbiddenFlags: () => begun.then(() => null),
    },
    logged(tasks, logger),
    pool,
  );
  let finished: Promise<void> | undefined;
  return {
    workerIds,
    isBroken: () => isBroken,
    begin,
    finish() {
      begin();
      // Asked a second time, graphile-worker would not wait for the jobs under way.
      finished ??= workers.gracefulShutdown();
      return finished;
    },
    abandon() {
      // It logs what goes wrong, and goes on when the pool has been closed.
      void workers.forcefulShutdown('The worker is stopping');
    },
  };
}

/** The tasks as graphile-worker calls them, each with a line in the log for how it went. */
function logged(tasks: Tasks, logger: Logger): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async (payload, { job }) => {
        const attempt = { number: job.attempts, isLast: job.attempts >= job.max_attempts };
        const started = performance.now();
        const facts = () => ({
          job: job.id,
          task: name,
          attempt: attempt.number,
          ms: Math.round((performance.now() - started) * 10) / 10,
        });
        try {
          await task(payload, attempt);
          logger[task.isRoutine ? 'debug' : 'info'](facts(), 'job done');
        } catch (error) {
          if (attempt.isLast) logger.error({ ...facts(), err: error }, 'job given up');
          else logger.warn({ ...facts(), err: error }, 'job failed, to be tried again');
          throw error;
        }
      },
    ]),
  );
}
