import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  defaultHeartbeat,
  type EndedWorker,
  type HeartbeatTimes,
  recordHeartbeat,
  releaseDeadWorkers,
  releaseWorkers,
} from './heartbeat.js';
import type { EndedJob, Tasks } from './job.js';
import type { RunningJobs } from './looks.js';
import { openQueueConnections } from './queue-connections.js';
import { createWorkerPool, type WorkerPool } from './worker-pool.js';

/** The timeout of the first heartbeat, in ms, which is long: a busy machine starts slowly. */
const SIGN_ON_MS = 10_000;

/** Timeout of the last statements before the worker stops, in ms. */
const SIGN_OFF_MS = 3_000;

export interface WorkerOptions {
  readonly databaseUrl: string;
  readonly tasks: Tasks;
  /** Throws if jobs of a firm have to wait. They are tried again without counting as attempts. */
  readonly check?: (firmId: string) => void;
  /** The number of jobs that run at once, at least 1. */
  readonly concurrency: number;
  /** The number of them that may work on files; all by default. */
  readonly filePlaces?: number;
  readonly logger: Logger;
  /**
   * The name of the connections in `pg_stat_activity`, before ` (jobs)`; `adx-server` by default.
   */
  readonly applicationName?: string;
  /** Called when the database refuses a connection, or none could be opened. */
  readonly onConnectionFailure?: (error: unknown) => void;
  /** Called after each run of a job. */
  readonly onEnd?: (job: EndedJob) => void;
  readonly heartbeat?: HeartbeatTimes;
  /** How long after it found no job it looks for one in any case, in ms. */
  readonly lookMs?: number;
  /** How long `stop` waits for running jobs, in ms; shorter than the timeout of heartbeats. */
  readonly drainMs?: number;
}

/** A worker, which runs jobs until it is stopped and survives outages of the database. */
interface RunningWorker {
  /**
   * Takes no further jobs, waits for running jobs, and releases those that do not end in time to
   * other workers. A task that was left behind runs on until it ends or the process exits.
   */
  stop(): Promise<void>;
}

/**
 * Starts running jobs. Any number of processes may do so: each job runs in one of them.
 *
 * @throws Error when the database cannot be reached at the start
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { databaseUrl, tasks, concurrency, filePlaces = concurrency, logger } = options;
  const { heartbeat = defaultHeartbeat, lookMs = 2_000, drainMs = 10_000 } = options;
  const {
    applicationName = 'adx-server',
    onConnectionFailure = () => {},
    onEnd = () => {},
    check = () => {},
  } = options;
  /** True after a connection broke: a worker may then hold a job without knowing it. */
  let connectionLost = false;
  // One for heartbeats, one for notifications. Workers need theirs only before and after a job.
  const size = 2 + Math.min(concurrency, 4);
  const connections = openQueueConnections({
    url: databaseUrl,
    size,
    applicationName: `${applicationName} (jobs)`,
    onLost(error) {
      connectionLost = true;
      logger.debug({ err: error }, 'jobs: a connection was lost');
    },
    onConnectionFailure,
  });
  const { pool } = connections;

  /** Does some work with the database, and closes all connections if it takes longer than `ms`. */
  async function within(ms: number, work: () => Promise<void>): Promise<void> {
    const timer = setTimeout(() => connections.cut(), ms);
    try {
      await work();
    } finally {
      clearTimeout(timer);
    }
  }

  try {
    await within(SIGN_ON_MS, () => recordHeartbeat(pool, []));
  } catch (error) {
    await connections.close();
    throw error;
  }

  /** Workers that have ended and are not yet removed from the database. */
  const ended: EndedWorker[] = [];
  const running: RunningJobs = new Map();
  const newWorkers = () =>
    createWorkerPool({
      connections: pool,
      tasks,
      check,
      concurrency,
      filePlaces,
      running,
      lookMs,
      logger,
      onEnd,
      onLost: (worker) => ended.push(worker),
    });
  let workers = newWorkers();
  /** The current pool, and replaced ones that still run jobs. */
  const pools = new Set([workers]);
  const workerIds = () => [...pools].flatMap((each) => [...each.workerIds]);
  const stopping = new AbortController();
  let lastContact = performance.now();
  let releasesFrom = 0;

  async function round(): Promise<void> {
    await recordHeartbeat(pool, workerIds());
    if ((connectionLost || workers.isBroken()) && !stopping.signal.aborted) {
      connectionLost = false;
      retire(workers);
      workers = newWorkers();
      pools.add(workers);
      await recordHeartbeat(pool, workerIds());
    }
    workers.begin();
    const leaving = [...ended];
    if (leaving.length > 0) await releaseWorkers(pool, leaving);
    ended.splice(0, leaving.length);
    // After an outage no worker has a recent heartbeat: the others get time to record one.
    const now = performance.now();
    if (now - lastContact > heartbeat.timeoutMs) releasesFrom = now + heartbeat.timeoutMs;
    lastContact = now;
    if (now < releasesFrom) return;
    const dead = await releaseDeadWorkers(pool, heartbeat.timeoutMs);
    if (dead.length > 0) logger.warn({ workers: dead }, 'released the jobs of dead workers');
  }

  function retire(former: WorkerPool): void {
    void former.finish().then(() => {
      pools.delete(former);
      ended.push(...[...former.workerIds].map((id) => ({ id })));
    });
  }

  async function keepBeating(): Promise<void> {
    let isLost = false;
    while (!stopping.signal.aborted) {
      try {
        await within(heartbeat.timeoutMs / 2, round);
        if (isLost) logger.info('jobs: the database is reachable again');
        isLost = false;
      } catch (error) {
        if (!isLost) logger.warn({ err: error }, 'jobs: the database is unreachable, retrying');
        isLost = true;
      }
      await sleep(heartbeat.intervalMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const beating = keepBeating();

  async function end(): Promise<void> {
    const finished = Promise.all([...pools].map((each) => each.finish())).then(() => true);
    const isFinished = await Promise.race([finished, sleep(drainMs, false, { ref: false })]);
    if (!isFinished) logger.warn('running jobs are released to other workers');
    await beating;
    try {
      const leaving = [...workerIds().map((id) => ({ id })), ...ended];
      await within(SIGN_OFF_MS, () => releaseWorkers(pool, leaving));
    } catch (error) {
      // Other workers will notice the missing heartbeats.
      logger.warn({ err: error }, 'jobs: the worker failed to release its jobs');
    }
    if (!isFinished) for (const each of pools) each.abandon();
    await connections.close();
  }

  let stopped: Promise<void> | undefined;
  return {
    stop() {
      stopping.abort();
      stopped ??= end();
      return stopped;
    },
  };
}
