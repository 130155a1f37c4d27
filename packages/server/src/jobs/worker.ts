import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Crew, createCrew } from './crew.js';
import { beat, type Pulse, release, releaseSilent } from './heartbeat.js';
import type { Tasks } from './job.js';
import { openQueueConnections } from './queue-connections.js';

const usualPulse: Pulse = { beatMs: 5_000, silentMs: 20_000 };

export interface WorkerOptions {
  readonly databaseUrl: string;
  readonly tasks: Tasks;
  /** Jobs worked on at once; at least 1. */
  readonly concurrency: number;
  readonly logger: Logger;
  readonly pulse?: Pulse;
  /** How long `stop` waits for the jobs under way, in ms. */
  readonly patienceMs?: number;
}

/** Looks for jobs until it is stopped, through every outage of the database. */
export interface RunningWorker {
  /**
   * Takes no further jobs, waits for those under way, and hands what is not done in time to other
   * workers; a task that is cut off so runs on until it ends by itself or the process does.
   */
  stop(): Promise<void>;
}

/**
 * Starts working on jobs. Any number of processes may: each job is done by one.
 *
 * @throws Error when the database cannot be reached at the start
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { databaseUrl, tasks, concurrency, logger } = options;
  const { pulse = usualPulse, patienceMs = 10_000 } = options;
  // One listens, one beats. Workers use theirs for a moment before and after a job, and share.
  const connections = openQueueConnections(databaseUrl, 2 + Math.min(concurrency, 8), logger);
  const { pool } = connections;
  try {
    await inTime(() => beat(pool, []));
  } catch (error) {
    await connections.close();
    throw error;
  }

  /** Workers that have ended; what they hold is to be released. */
  const ended = new Set<string>();
  const newCrew = () =>
    createCrew({ pool, tasks, concurrency, logger, onLost: (id) => ended.add(id) });

  let crew = newCrew();
  /** With those that were replaced and still have jobs under way. */
  const crews = new Set([crew]);
  const workerIds = () => [...crews].flatMap((each) => [...each.workerIds]);
  let heardAt: number | undefined;

  async function round(): Promise<void> {
    await beat(pool, workerIds());
    if (crew.isBroken() && !stopping.signal.aborted) {
      retire(crew);
      crew = newCrew();
      crews.add(crew);
      await beat(pool, workerIds());
    }
    crew.begin();
    if (ended.size > 0) {
      const ids = [...ended];
      await release(pool, ids);
      for (const id of ids) ended.delete(id);
    }
    // After an outage everyone has been silent: first the others get the time to speak.
    const mayJudge = heardAt === undefined || performance.now() - heardAt < pulse.silentMs;
    heardAt = performance.now();
    if (mayJudge) await releaseDead();
  }

  async function releaseDead(): Promise<void> {
    const dead = await releaseSilent(pool, pulse.silentMs);
    if (dead.length > 0) logger.warn({ workers: dead }, 'jobs of dead workers were released');
  }

  function retire(broken: Crew): void {
    void broken.finish().then(() => {
      crews.delete(broken);
      for (const id of broken.workerIds) ended.add(id);
    });
  }

  /** Does something with the database, which counts as lost when it says nothing for too long. */
  async function inTime(work: () => Promise<void>): Promise<void> {
    const timer = setTimeout(() => connections.cut(), pulse.silentMs / 2);
    try {
      await work();
    } finally {
      clearTimeout(timer);
    }
  }

  const stopping = new AbortController();
  async function goOn(): Promise<void> {
    let isLost = false;
    while (!stopping.signal.aborted) {
      try {
        await inTime(round);
        if (isLost) logger.info('jobs: the database is back');
        isLost = false;
      } catch (error) {
        if (!isLost) logger.warn({ err: error }, 'jobs: the database is lost, waiting for it');
        isLost = true;
      }
      await sleep(pulse.beatMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function end(): Promise<void> {
    const finished = Promise.all([...crews].map((each) => each.finish())).then(() => true);
    const isFinished = await Promise.race([finished, sleep(patienceMs, false, { ref: false })]);
    if (!isFinished) logger.warn('jobs under way are handed to other workers');
    await going;
    try {
      await inTime(() => release(pool, [...workerIds(), ...ended]));
    } catch (error) {
      // Then others find out by the silence.
      logger.warn({ err: error }, 'jobs: the worker could not sign off');
    }
    if (!isFinished) for (const each of crews) each.abandon();
    await connections.close();
  }

  const going = goOn();
  let stopped: Promise<void> | undefined;
  return {
    stop() {
      stopping.abort();
      stopped ??= end();
      return stopped;
    },
  };
}
