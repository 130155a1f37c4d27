import type { Job, Worker, WorkerEvents } from 'graphile-worker';
import { z } from 'zod';
import { mostWith } from './job.js';

/** How long one worker may look before the others do so too, in ms. */
const STUCK_MS = 10_000;

/**
 * Thrown to graphile-worker so that a worker goes back to sleep; it logs that at debug level only.
 */
export const notNow = new Error('There is no reason to look for a job');

/** The number of running jobs by flag. */
export type RunningJobs = Map<string, number>;

interface LooksOptions {
  readonly events: WorkerEvents;
  /** The jobs of all pools of the process, since those of a replaced pool run to their end. */
  readonly running: RunningJobs;
  /** The number of jobs that may work on files at once. */
  readonly filePlaces: number;
  /** How long after a look that found nothing the next one follows in any case, in ms. */
  readonly lookMs: number;
  /** Called when a look took too long. */
  readonly onStuck: () => void;
}

/** A look under way. */
interface Look {
  /** The number of jobs that were expected before it. */
  readonly expected: number;
  /** The flags of the jobs that it leaves out. */
  readonly without: readonly string[];
  readonly timer: NodeJS.Timeout;
}

/**
 * Has the workers of a pool look for jobs one after the other, and only for a reason: a
 * notification of new jobs, a job that left room under its limit, and every two seconds in any case
 * (D-67): for jobs that have become due, and for all of them where notifications do not arrive, for
 * example behind PgBouncer. A worker learns before it looks which flags the running jobs use up.
 */
export function createLooks({ events, running, filePlaces, lookMs, onStuck }: LooksOptions) {
  const workers = new Set<Worker>();
  /** Absent before the workers may look. */
  let timer: NodeJS.Timeout | undefined;
  /**
   * The number of jobs that may be there to take, infinite when the timer fires. A look that finds
   * nothing sets it to those that were added meanwhile, which it may not have seen.
   */
  let expected = 0;
  let current: Look | undefined;
  /** The flags without which a look found nothing; there may be many jobs with them. */
  let foundNoneWithout: readonly string[] = [];

  const count = ({ flags }: Job, by: number) => {
    for (const flag of Object.keys(flags ?? {})) {
      const jobs = (running.get(flag) ?? 0) + by;
      if (jobs > 0) running.set(flag, jobs);
      else running.delete(flag);
    }
  };
  const usedUp = () =>
    [...running].flatMap(([flag, jobs]) => (jobs < mostWith(flag, filePlaces) ? [] : flag));
  /** Wakes a worker that sleeps. Those that are busy look by themselves after their job. */
  const wake = () => {
    if (timer === undefined || current !== undefined || expected === 0) return;
    for (const worker of workers) if (worker.nudge()) return;
  };
  const expect = (jobs: number) => {
    expected += jobs;
    wake();
  };
  const end = () => {
    clearTimeout(current?.timer);
    current = undefined;
  };
  events.on('worker:create', ({ worker }) => workers.add(worker));
  events.on('worker:release', ({ worker }) => workers.delete(worker));
  events.on('pool:listen:notification', ({ message: { channel, payload } }) => {
    if (channel === 'jobs:insert') expect(countOf(payload));
  });
  events.on('worker:getJob:error', ({ error }) => {
    if (error === notNow) return;
    end();
    wake();
  });
  events.on('worker:getJob:empty', () => {
    foundNoneWithout = current?.without ?? [];
    timer?.refresh();
    end();
    wake();
  });
  events.on('job:start', ({ job }) => {
    count(job, 1);
    const before = current?.expected ?? 1;
    // Repeated work is mostly due alone. Its worker looks for others after it.
    const isAlone = before === Infinity && expected === 0 && job.key === job.task_identifier;
    expected += before - (wasNotified(job) ? 1 : 0);
    end();
    if (!isAlone) wake();
  });
  events.on('job:complete', ({ job }) => {
    count(job, -1);
    const leftOut = [...foundNoneWithout, ...(current?.without ?? [])];
    // The worker of this job looks next.
    if (leftOut.some((flag) => flag in (job.flags ?? {}))) expected += 1;
  });
  // The worker could not record the end of its job, and exits.
  events.on('worker:fatalError', ({ worker }) => {
    const job = worker.getActiveJob();
    if (job !== null) count(job, -1);
  });
  return {
    /** Lets the workers look. */
    begin() {
      if (timer !== undefined) return;
      timer = setInterval(() => expect(Infinity), lookMs);
      expect(Infinity);
    },
    end: () => clearInterval(timer),
    /**
     * Returns the flags of the jobs that a worker may not take now.
     *
     * @throws Error `notNow`
     */
    look(): string[] {
      if (timer === undefined || current !== undefined || expected === 0) throw notNow;
      const without = usedUp();
      // A connection that leads nowhere would keep the others from looking.
      const stuck = setTimeout(() => {
        onStuck();
        end();
        wake();
      }, STUCK_MS);
      current = { expected, without, timer: stuck };
      expected = 0;
      return without;
    },
  };
}

/** Returns false for a job that has become due by itself, after a pause or a failed attempt. */
function wasNotified({ attempts, run_at, created_at }: Job): boolean {
  return attempts === 1 && run_at <= created_at;
}

/**
 * Returns the number of new jobs that a notification of graphile-worker tells, and 1 for one that
 * anybody else sent.
 */
function countOf(payload: string | undefined): number {
  try {
    const { count } = notificationOf.parse(JSON.parse(payload || '{}'));
    return Math.max(0, count);
  } catch {
    return 1;
  }
}

const notificationOf = z.object({ count: z.number().default(1) });
