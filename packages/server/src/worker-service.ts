import type { Config } from './config.js';
import { openDatabase } from './db/open-database.js';
import { createLogger } from './logger.js';
import { startJobs } from './start-jobs.js';

/** A worker at work. */
export interface RunningWorkerService {
  /** Lets the jobs under way end, then closes everything the worker opened. */
  close(): Promise<void>;
}

/**
 * Starts a worker: a process that works on jobs and answers no calls. Any number of them may run.
 *
 * @throws Error when the database cannot be reached or its schema is not current
 */
export async function startWorkerService(config: Config): Promise<RunningWorkerService> {
  const logger = createLogger(config.logLevel);
  const database = await openDatabase(config);
  try {
    const jobs = await startJobs({
      ...{ config, database, logger },
      now: () => new Date(),
      concurrency: Math.max(1, config.workerConcurrency),
    });
    return {
      async close() {
        await jobs.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
