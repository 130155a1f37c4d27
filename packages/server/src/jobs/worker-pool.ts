import { EventEmitter } from 'node:events';
import {
  type Job,
  runTaskList,
  type TaskList,
  type Worker,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import { inLaterSpan, takeTrace } from '../tracing/spans.js';
import type { EndedWorker } from './heartbeat.js';
import { type EndedJob, mostWith, type Tasks } from './job.js';
import { createQueueLog } from './queue-connections.js';

/**
 * How often a process without jobs looks for some, in ms: for those that have become due, and for
 * all of them where notifications do not arrive, for example behind PgBouncer.
 */
const LOOK_MS = 2_000;

/** How long one worker may look before the others do so too, in ms. */
const STUCK_MS = 10_000;

/** The number of last attempts that are kept for giving up. */
const GIVING_UP = 5;

/** Each worker of graphile-worker would look by itself this often, in ms; we wake them instead. */
const NEVER_MS = 86_400_000;

interface WorkerPoolOptions {
  readonly connections: pg.Pool;
  readonly tasks: Tasks;
  /** The number of workers. A worker runs one job at a time. */
  readonly concurrency: number;
  /** The number of them that may work on files. */
  readonly filePlaces: number;
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
  const { connections, tasks, concurrency, filePlaces, logger, onEnd, onLost } = options;
  let isBroken = false;
  const workerIds = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  const looks = createLooks(events, filePlaces, () => {
    isBroken = true;
  });
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
    observed(tasks, logger, onEnd),
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
 * Thrown to graphile-worker so that a worker goes back to sleep; it logs that at debug level only.
 */
const notNow = new Error('There is no reason to look for a job');

/**
 * Has the workers of a process look for jobs one after the other, and only for a reason: a
 * notification of new jobs, a job that left room under its limit, and every two seconds in any case
 * (D-67). A worker learns before it looks which flags the running jobs use up.
 */
function createLooks(events: WorkerEvents, filePlaces: number, onStuck: () => void) {
  const workers = new Set<Worker>();
  const running = new Map<string, number>();
  const count = ({ flags }: Job, by: number) => {
    for (const flag of Object.keys(flags ?? {})) {
      const jobs = (running.get(flag) ?? 0) + by;
      if (jobs > 0) running.set(flag, jobs);
      else running.delete(flag);
    }
  };
  const usedUp = () =>
    [...running].flatMap(([flag, jobs]) => (jobs < mostWith(flag, filePlaces) ? [] : flag));
  let hasBegun = false;
  let isLooking = false;
  /** The number of jobs that may be there to take. */
  let expected = 0;
  /** Those of them that the worker that looks may not see yet. */
  let unseen = 0;
  /**
   * True while there may be any number of them: from a look without a notification until one finds
   * nothing.
   */
  let isBacklog = false;
  /** True for the first of these looks. */
  let isAfterRest = false;
  /** The flags without which a worker found nothing; there may be many jobs with them. */
  let foundNoneWithout: readonly string[] = [];
  let lookedWithout: readonly string[] = [];
  let stuck: NodeJS.Timeout | undefined;

  /** Wakes a worker that sleeps. Those that are busy look by themselves after their job. */
  const wake = () => {
    if (!hasBegun || isLooking || expected === 0) return;
    for (const worker of workers) if (worker.nudge()) return;
  };
  const expect = (jobs: number) => {
    expected += jobs;
    if (isLooking) unseen += jobs;
    wake();
  };
  const end = () => {
    clearTimeout(stuck);
    isLooking = false;
    wake();
  };
  const timer = setInterval(() => {
    isAfterRest = !isBacklog;
    isBacklog = true;
    expect(1);
  }, LOOK_MS);
  events.on('worker:create', ({ worker }) => workers.add(worker));
  events.on('worker:release', ({ worker }) => workers.delete(worker));
  events.on('pool:listen:success', ({ client }) => {
    client.on('notification', ({ channel, payload }) => {
      if (channel === 'jobs:insert') expect(countOf(payload));
    });
  });
  events.on('worker:getJob:error', ({ error }) => {
    if (error !== notNow) end();
  });
  events.on('worker:getJob:empty', () => {
    foundNoneWithout = lookedWithout;
    expected = unseen;
    isBacklog = false;
    isAfterRest = false;
    end();
  });
  events.on('job:start', ({ job }) => {
    count(job, 1);
    // After a rest, repeated work is mostly due alone.
    if (isAfterRest && job.key === job.task_identifier) isBacklog = false;
    if (isBacklog) expected += 1;
    isAfterRest = false;
    end();
  });
  events.on('job:complete', ({ job }) => {
    count(job, -1);
    // The worker of this job looks next.
    if (foundNoneWithout.some((flag) => flag in (job.flags ?? {}))) expected += 1;
  });
  return {
    begin() {
      hasBegun = true;
      isBacklog = true;
      expect(1);
    },
    end: () => clearInterval(timer),
    /**
     * Returns the flags of the jobs that a worker may not take now.
     *
     * @throws Error `notNow`
     */
    look(): string[] {
      if (!hasBegun || isLooking || expected === 0) throw notNow;
      isLooking = true;
      expected -= 1;
      unseen = 0;
      timer.refresh();
      // A connection that leads nowhere would keep the others from looking.
      stuck = setTimeout(() => {
        onStuck();
        end();
      }, STUCK_MS);
      const flags = usedUp();
      lookedWithout = flags;
      return flags;
    },
  };
}

/** Returns the number of new jobs that a notification of graphile-worker tells. */
function countOf(payload: string | undefined): number {
  const { count } = notificationOf.parse(JSON.parse(payload || '{}'));
  return Math.max(0, count);
}

const notificationOf = z.object({ count: z.number().default(1) });

/**
 * Wraps each task so that each run of a job is reported, and has a line in the log and a span in
 * its trace. Routine has no span, because it would be most of all traces; so what it starts begins
 * a trace of its own.
 */
function observed(tasks: Tasks, logger: Logger, onEnd: (job: EndedJob) => void): TaskList {
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
