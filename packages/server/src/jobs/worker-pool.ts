import { EventEmitter } from 'node:events';
import { runTaskList, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { inLaterSpan, takeTrace } from '../tracing/spans.js';
import type { EndedWorker } from './heartbeat.js';
import type { EndedJob, TaskPool, Tasks } from './job.js';
import { createQueueLog } from './queue-connections.js';

/**
 * Poll interval of each worker, in ms. Polling finds jobs that have become due, and all jobs where
 * notifications do not arrive, for example behind PgBouncer.
 */
const POLL_MS = 1_000;

interface WorkerPoolOptions {
  readonly connections: pg.Pool;
  /** The tasks, and the number of workers for each pool of them. A worker runs one job at a time. */
  readonly pools: readonly TaskPool[];
  readonly logger: Logger;
  /** Called after each run of a job. */
  readonly onEnd: (job: EndedJob) => void;
  /** Called when a worker failed to record the end of its job and exited, so that it still locks the job. */
  readonly onLost: (worker: EndedWorker) => void;
}

/** A pool of graphile-worker's workers, which share database connections. */
export interface WorkerPool {
  /** The workers that may hold a job. */
  readonly workerIds: ReadonlySet<string>;
  /** True once a worker was lost or failed to poll. */
  isBroken(): boolean;
  /** Lets the workers take jobs. Before this call none does. */
  begin(): void;
  /** Stops taking jobs. Resolves when the running jobs have ended, or the shutdown has failed. */
  finish(): Promise<unknown>;
  /** Leaves the running jobs behind. */
  abandon(): void;
}

/** Creates a pool of workers, which wait until `begin` is called. */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { connections, pools, logger, onEnd, onLost } = options;
  let isBroken = false;
  const workerIds = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  events.on('worker:create', ({ worker }) => workerIds.add(worker.workerId));
  // A worker whose first poll fails never recovers: graphile-worker caches the rejected promise.
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
  const lists = pools.map(({ tasks, concurrency }) =>
    runTaskList(
      {
        schema: 'graphile_worker',
        concurrency,
        pollInterval: POLL_MS,
        // Behind PgBouncer, each statement may run on another connection.
        noPreparedStatements: true,
        noHandleSignals: true,
        logger: createQueueLog(logger),
        events,
        // graphile-worker awaits this before each poll. Our jobs have no flags, but polling must wait.
        forbiddenFlags: () => begun.then(() => null),
      },
      observed(tasks, logger, onEnd),
      connections,
    ),
  );
  let finished: Promise<unknown> | undefined;
  return {
    workerIds,
    isBroken: () => isBroken,
    begin,
    finish() {
      begin();
      // A second call of gracefulShutdown would not wait for the running jobs.
      finished ??= Promise.allSettled(lists.map((list) => list.gracefulShutdown()));
      return finished;
    },
    abandon() {
      // It logs its own failures, and copes with connections that are closed.
      for (const list of lists) void list.forcefulShutdown('The worker is stopping');
    },
  };
}

/**
 * Wraps each task so that each run of a job is reported, and has a line in the log and a span in its trace.
 * Routine has no span, because it would be most of all traces; so what it starts begins a trace of its own.
 */
function observed(tasks: Tasks, logger: Logger, onEnd: (job: EndedJob) => void): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (carried, { job }) => {
        const { id: jobId, attempts: number, max_attempts } = job;
        const { payload, from } = takeTrace(carried);
        const attempt = { jobId, number, isLast: number >= max_attempts };
        const started = performance.now();
        /** Reports the outcome, and returns the facts of the run for the log. */
        const end = (outcome: EndedJob['outcome']) => {
          const ms = performance.now() - started;
          onEnd({ task: name, outcome, seconds: ms / 1000 });
          const rounded = Math.round(ms * 10) / 10;
          return { job: jobId, key: job.key, task: name, attempt: number, ms: rounded };
        };
        const run = async () => {
          try {
            const outcome = (await task(payload, attempt)) ?? 'done';
            logger[task.isRoutine ? 'debug' : 'info'](end(outcome), `job ${outcome}`);
          } catch (error) {
            const { isLast } = attempt;
            const facts = { ...end(isLast ? 'givenUp' : 'failed'), err: error };
            if (isLast) logger.error(facts, 'job failed for the last time');
            else logger.warn(facts, 'job failed, will be retried');
            throw error;
          }
        };
        if (task.isRoutine) return run();
        const attributes = { 'adx.job_id': jobId, 'adx.attempt': number };
        const afterMs = job.run_at.getTime() - job.created_at.getTime();
        return inLaterSpan({ name, attributes, from, afterMs }, run);
      },
    ]),
  );
}
