import type { Logger } from 'pino';
import type { WorkerConfig } from './config.js';
import { type OpenDatabase, openDatabase } from './db/open-database.js';
import { inTransaction } from './db/transaction.js';
import { enqueue } from './jobs/job.js';
import { startWorker } from './jobs/worker.js';
import { createLogger } from './logger.js';
import { createMailer } from './mail/mailer.js';
import { createConsents } from './mandates/consents.js';
import { createSigningLinks } from './mandates/signing/signing-links.js';
import { createMandateTasks } from './mandates/tasks.js';
import { openStorage, type Storage } from './storage/open-storage.js';
import { createUploadTasks, repeatingJob, repeatingTasks } from './uploads/tasks.js';

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

/** What jobs work with. */
export interface JobDependencies {
  readonly config: WorkerConfig;
  readonly database: OpenDatabase;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Jobs that are being worked on. */
export interface RunningJobs {
  /** Lets what is under way end, and takes nothing more. */
  stop(): Promise<void>;
}

/** Starts working on the jobs of every feature. */
export async function startJobs(dependencies: JobDependencies): Promise<RunningJobs> {
  const { config, database, storage, logger, now } = dependencies;
  const { publicUrl, heldDeliveryDays } = config;
  const { concurrency, linkSecret, mail } = config.jobs;
  const mailer = createMailer({ ...mail, logger });
  const links = createSigningLinks(publicUrl, linkSecret);
  const { knex, url: databaseUrl } = database;
  const consents = createConsents(now);
  const tasks = {
    ...createMandateTasks({ knex, mailer, links, mailAttempts: mail.attempts, logger, now }),
    ...createUploadTasks({ knex, storage, consents, heldDeliveryDays, logger, now }),
  };
  await inTransaction(knex, async (trx) => {
    for (const task of repeatingTasks) await enqueue(trx, repeatingJob(task, new Date()));
  });
  const worker = await startWorker({ databaseUrl, tasks, concurrency, logger });
  return {
    async stop() {
      await worker.stop();
      mailer.close();
    },
  };
}
