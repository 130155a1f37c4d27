import type { WorkerConfig } from './config.js';
import { openDatabase } from './db/open-database.js';
import { createLogger } from './logger.js';
import { startJobs } from './start-jobs.js';
import { openStorage, type Storage } from './storage/open-storage.js';

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
export async function startWorkerService(config: WorkerConfig): Promise<RunningWorkerService> {
  const logger = createLogger(config.logLevel);
  const now = () => new Date();
  const database = await openDatabase(config);
  let storage: Storage | undefined;
  try {
    storage = await openStorage(config.storage, logger);
    const jobs = await startJobs({ config, database, storage, logger, now });
    return {
      async close() {
        await jobs.stop();
        await storage?.close();
        await database.close();
      },
    };
  } catch (error) {
    await storage?.close();
    await database.close();
    throw error;
  }
}
