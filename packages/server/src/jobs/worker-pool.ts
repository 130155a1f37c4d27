import { EventEmitter } from 'node:events';
import { runTaskList, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { inLaterSpan, takeTrace } from '../tracing/spans.js';
import type { EndedWorker } from './heartbeat.js';
import type { EndedJob, Tasks } from './job.js';
import { createLooks, notNow, type RunningJobs } from './looks.js';
import { createQueueLog } from './queue-connections.js';

/** The number of last attempts that are kept for giving up. */
const GIVING_UP = 5;

/** The pause after which a worker of graphile-worker looks by itself, in ms; we wake it instead. */
const NEVER_MS = 86_400_000;

/** The pause before a job whose firm has to wait is tried again, in seconds. */
const WAIT_SECONDS = 60;

interface WorkerPoolOptions {
  readonly connections: pg.Pool;
  readonly tasks: Tasks;
  /** Throws if jobs of a firm have to wait. */
  readonly check: (firmId: string) => void;
  /** The number of workers. A worker runs one job at a time. */
  readonly concurrency: number;
  /** The number of them that may work on files. */
  readonly filePlaces: number;
  readonly running: RunningJobs;
  readonly lookMs: number;
  readonly logger: Logger;
  /** Called after each run of a job. */
  readonly onEnd: (job: EndedJob) => void;
  /**
   * Called when a worker failed to record the end of its job and exited, so that it still locks the
   * job.
   */
  readonly onLost: (worker: EndedWorker) => void;
}

/** A pool of graphile-worker's workers, which share database connections. */
export interface WorkerPool {
  /** The workers that may hold a job. */
  readonly workerIds: ReadonlySet<string>;
  /** True once a worker was lost or failed to look for a job. */
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
  const { connections, concurrency, filePlaces, running, lookMs } = options;
  const { logger, onLost } = options;
  let isBroken = false;
  const workerIds = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  const onStuck = () => {
    isBroken = true;
  };
  const looks = createLooks({ events, running, filePlaces, lookMs, onStuck });
  events.on('worker:create', ({ worker }) => workerIds.add(worker.workerId));
  // A worker whose first look fails never recovers: graphile-worker caches the rejected promise.
  events.on('worker:getJob:error', ({ error }) => {
    if (error !== notNow) isBroken = true;
  });
  events.on('worker:fatalError', ({ worker, jobError }) => {
    isBroken = true;
    workerIds.delete(worker.workerId);
    const job = worker.getActiveJob();
    const isDone = job !== null && !jobError;
    onLost({ id: worker.workerId, ...(isDone && { doneJobId: job.id }) });
  });
  const list = runTaskList(
    {
      schema: 'graphile_worker',
      concurrency,
      pollInterval: NEVER_MS,
      noHandleSignals: true,
      logger: createQueueLog(logger),
      events,
      // graphile-worker calls this before each look.
      forbiddenFlags: looks.look,
    },
    observed(options),
    connections,
  );
  let finished: Promise<unknown> | undefined;
  return {
    workerIds,
    isBroken: () => isBroken,
    begin: looks.begin,
    finish() {
      // A second call of gracefulShutdown would not wait for the running jobs.
      finished ??= Promise.allSettled([list.gracefulShutdown()]).finally(looks.end);
      return finished;
    },
    abandon() {
      // It logs its own failures, and copes with connections that are closed.
      void list.forcefulShutdown('The worker is stopping');
    },
  };
}

/**
 * Wraps each task so that each run of a job is reported, and has a line in the log and a span in
 * its trace. Routine has no span, because it would be most of all traces; so what it starts begins
 * a trace of its own.
 */
function observed({ connections, tasks, check, logger, onEnd }: WorkerPoolOptions): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (carried, { job }) => {
        const { payload, from } = takeTrace(carried);
        const started = performance.now();
        /** Reports the outcome, and returns the facts of the run for the log. */
        const end = (outcome: EndedJob['outcome']) => {
          const ms = performance.now() - started;
          onEnd({ task: name, outcome, seconds: ms / 1000 });
          const rounded = Math.round(ms * 10) / 10;
          return { job: job.id, key: job.key, task: name, attempt: job.attempts, ms: rounded };
        };
        /** Gives up, because of an error that stays the reason if that fails. */
        const giveUp = async (error: unknown) => {
          const reason = error instanceof Error ? error.message || String(error) : String(error);
          await task.giveUp?.(payload, reason).catch((failure: unknown) => {
            logger.warn({ ...end('failed'), err: failure }, 'a job could not be given up');
            throw error instanceof Error ? error : new Error(reason);
          });
          logger.error({ ...end('givenUp'), err: error }, 'job failed for the last time');
        };
        const run = async () => {
          const { firmId } = Object(payload);
          if (typeof firmId === 'string') {
            try {
              check(firmId);
            } catch (error) {
              logger.debug({ ...end('failed'), err: error }, 'job has to wait');
              await keepAttempt(connections, job.id);
              throw error;
            }
          }
          const canGiveUp = task.giveUp !== undefined;
          const tries = Math.max(1, job.max_attempts - (canGiveUp ? GIVING_UP : 0));
          if (job.attempts > tries) return giveUp(job.last_error);
          const isLast = job.attempts === tries;
          try {
            const attempt = { jobId: job.id, place: job.priority, number: job.attempts, isLast };
            const outcome = (await task.run(payload, attempt)) ?? 'done';
            logger[task.isRoutine ? 'debug' : 'info'](end(outcome), `job ${outcome}`);
          } catch (error) {
            if (!isLast)
              logger.warn({ ...end('failed'), err: error }, 'job failed, will be retried');
            else await giveUp(error);
            if (!isLast || !canGiveUp) throw error;
          }
        };
        if (task.isRoutine) return run();
        const attributes = { 'adx.job_id': job.id, 'adx.attempt': job.attempts };
        const afterMs = job.run_at.getTime() - job.created_at.getTime();
        return inLaterSpan({ name, attributes, from, afterMs }, run);
      },
    ]),
  );
}

/** Makes the current attempt one that did not happen. graphile-worker adds its own pause. */
async function keepAttempt(connections: pg.Pool, jobId: string): Promise<void> {
  await connections.query(
    `update graphile_worker._private_jobs
        set attempts = attempts - 1, run_at = now() + $2 * interval '1 s' where id = $1::bigint`,
    [jobId, WAIT_SECONDS],
  );
}
