import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  beat,
  type EndedWorker,
  type Pulse,
  release,
  releaseSilent,
  usualPulse,
} from './heartbeat.js';
import type { Tasks } from './job.js';
import { openQueueConnections } from './queue-connections.js';
import { type Crew, createCrew } from './worker-pool.js';

/** How long signing off may take at the end, in ms. */
const SIGN_OFF_MS = 3_000;

export interface WorkerOptions {
  readonly databaseUrl: string;
  readonly tasks: Tasks;
  /** Jobs worked on at once; at least 1. */
  readonly concurrency: number;
  readonly logger: Logger;
  readonly pulse?: Pulse;
  /** How long `stop` waits for the jobs under way, in ms; shorter than a silence. */
  readonly patienceMs?: number;
}

/** Looks for jobs until it is stopped, through every outage of the database. */
export interface RunningWorker {
  /**
   * Takes no further jobs, waits for those under way, and hands what is not done in time to other
   * workers. A task that is left behind so runs on until it ends by itself or the process does.
   */
  stop(): Promise<void>;
}

/**
 * Starts working on jobs. Any number of processes may: each job is done by one of them.
 *
 * @throws Error when the database cannot be reached at the start
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { databaseUrl, tasks, concurrency, logger } = options;
  const { pulse = usualPulse, patienceMs = 10_000 } = options;
  /** Whether a connection broke: a worker may hold a job that it was never told of. */
  let isTorn = false;
  // One listens, one beats. Workers use theirs for a moment before and after a job, and share.
  const connections = openQueueConnections(databaseUrl, 2 + Math.min(concurrency, 8), (error) => {
    isTorn = true;
    logger.debug({ err: error }, 'jobs: a connection was lost');
  });
  const { pool } = connections;

  /** Does something with the database, which counts as lost when it takes longer. */
  async function within(ms: number, work: () => Promise<void>): Promise<void> {
    const timer = setTimeout(() => connections.cut(), ms);
    try {
      await work();
    } finally {
      clearTimeout(timer);
    }
  }

  try {
    await within(pulse.silentMs / 2, () => beat(pool, []));
  } catch (error) {
    await connections.close();
    throw error;
  }

  /** Workers that have ended and are still to be struck out. */
  const ended: EndedWorker[] = [];
  const newCrew = () =>
    createCrew({ pool, tasks, concurrency, logger, onLost: (worker) => ended.push(worker) });
  let crew = newCrew();
  /** With those that were replaced and have jobs under way. */
  const crews = new Set([crew]);
  const workerIds = () => [...crews].flatMap((each) => [...each.workerIds]);
  const stopping = new AbortController();
  let heardAt = performance.now();
  let judgesFrom = 0;

  async function round(): Promise<void> {
    await beat(pool, workerIds());
    if ((isTorn || crew.isBroken()) && !stopping.signal.aborted) {
      isTorn = false;
      retire(crew);
      crew = newCrew();
      crews.add(crew);
      await beat(pool, workerIds());
    }
    crew.begin();
    const leaving = [...ended];
    if (leaving.length > 0) await release(pool, leaving);
    ended.splice(0, leaving.length);
    // After an outage everyone has been silent: first the others get the time to speak.
    const now = performance.now();
    if (now - heardAt > pulse.silentMs) judgesFrom = now + pulse.silentMs;
    heardAt = now;
    if (now < judgesFrom) return;
    const dead = await releaseSilent(pool, pulse.silentMs);
    if (dead.length > 0) logger.warn({ workers: dead }, 'jobs of dead workers were released');
  }

  function retire(former: Crew): void {
    void former.finish().then(() => {
      crews.delete(former);
      ended.push(...[...former.workerIds].map((id) => ({ id })));
    });
  }

  async function keepBeating(): Promise<void> {
    let isLost = false;
    while (!stopping.signal.aborted) {
      try {
        await within(pulse.silentMs / 2, round);
        if (isLost) logger.info('jobs: the database is back');
        isLost = false;
      } catch (error) {
        if (!isLost) logger.warn({ err: error }, 'jobs: the database is lost, waiting for it');
        isLost = true;
      }
      await sleep(pulse.beatMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const beating = keepBeating();

  async function end(): Promise<void> {
    const finished = Promise.all([...crews].map((each) => each.finish())).then(() => true);
    const isFinished = await Promise.race([finished, sleep(patienceMs, false, { ref: false })]);
    if (!isFinished) logger.warn('jobs under way are handed to other workers');
    await beating;
    try {
      const leaving = [...workerIds().map((id) => ({ id })), ...ended];
      await within(SIGN_OFF_MS, () => release(pool, leaving));
    } catch (error) {
      // Then others find out by the silence.
      logger.warn({ err: error }, 'jobs: the worker could not sign off');
    }
    if (!isFinished) for (const each of crews) each.abandon();
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
