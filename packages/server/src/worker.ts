import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { deleteOldAnswers } from './api/idempotent-calls.js';
import { deleteOldWindows } from './api/shared-rate-limit.js';
import { sealingWork } from './audit/seal-entries.js';
import type { ProcessConfig, WorkerConfig } from './config.js';
import { countMissing } from './continuity/missing-store.js';
import type { Nodes } from './db/nodes.js';
import type { OpenDatabase } from './db/open-database.js';
import { retentionWork } from './erasure/retention.js';
import { createFilePrinter, type FilePrinter } from './files/print-files.js';
import { RATE_LIMIT_SECONDS } from './http/call-limits.js';
import { type MetricsServer, serveMetrics } from './http/metrics-server.js';
import { operatorScope } from './identity/operator-scope.js';
import { keptPlaces } from './jobs/job.js';
import {
  checkedFirst,
  createRepeatingTasks,
  inSteps,
  startRepeating,
} from './jobs/repeating-tasks.js';
import { startWorker } from './jobs/worker.js';
import { createLogger } from './logger.js';
import { createMailer } from './mail/mailer.js';
import { createCoverage } from './mandates/coverage.js';
import { createSigningUrls } from './mandates/signing/signing-urls.js';
import { createMandateTasks } from './mandates/tasks.js';
import { countUnsigned } from './mandates/unsigned-links.js';
import { openResources, type Resources } from './open-resources.js';
import type { StopSignal } from './stop-requested.js';
import type { Storage } from './storage/open-storage.js';
import type { DatabaseGauge } from './telemetry/database-gauges.js';
import type { Metrics } from './telemetry/metrics.js';
import { createUploadTasks } from './uploads/tasks.js';
import { deleteOldUsage } from './usage/usage-store.js';

/**
 * Starts a process that runs jobs and serves no requests. Any number of them may run.
 *
 * @throws Error if the database cannot be reached or migrations are pending
 */
export async function startWorkerService(
  config: WorkerConfig,
): Promise<{ close(signal?: StopSignal): Promise<void> }> {
  const logger = createLogger(config.logLevel);
  const applicationName = 'adx-server worker';
  const resources = await openResources(config, logger, applicationName);
  try {
    const { database, storage } = resources;
    const printer = createFilePrinter({ knex: database.knex, storage, logger });
    const now = () => new Date();
    const metrics = await openMetrics(config, resources, { logger, now });
    const jobs = await startJobs({
      config,
      ...resources,
      printer,
      logger,
      now,
      applicationName,
    }).catch((error: unknown) => {
      metrics?.close();
      throw error;
    });
    return {
      async close(signal) {
        logger.info({ signal }, 'stopping');
        await jobs.stop();
        metrics?.close();
        await resources.close();
        logger.info('stopped');
      },
    };
  } catch (error) {
    await resources.close();
    throw error;
  }
}

/** Serves the metrics of a process, if configured. */
export async function openMetrics(
  { metrics: address, databasePoolSize: poolSize, unsignedLinks }: ProcessConfig,
  { database: { knex }, metrics, readiness }: Resources,
  { logger, now }: { readonly logger: Logger; readonly now: () => Date },
): Promise<MetricsServer | undefined> {
  if (address === undefined) return undefined;
  const missing: DatabaseGauge = {
    name: 'adx_missing_statements',
    help: 'Bank statements that never came, by kind',
    labels: ['kind'],
    read: async (trx) =>
      (await countMissing(trx, operatorScope(), now())).map(({ kind, count }) => ({
        labels: { kind },
        value: count,
      })),
  };
  const unsigned: DatabaseGauge = {
    name: 'adx_unsigned_links',
    help: 'New links without a signature, or customers without a signed link if more, of all firms and the one with most',
    labels: ['of'],
    read: async (trx) =>
      Object.entries(await countUnsigned(trx, unsignedLinks, now())).map(([of, value]) => ({
        labels: { of },
        value,
      })),
  };
  const { registry } = metrics;
  const gauges = [missing, unsigned];
  return serveMetrics(address, { registry, knex, poolSize, readiness, logger, gauges });
}

interface JobDependencies {
  /** The name of the connections in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly config: WorkerConfig;
  readonly database: OpenDatabase;
  readonly nodes: Nodes;
  readonly storage: Storage;
  /** The printer of the process, which prints for jobs and requests together. */
  readonly printer: FilePrinter;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly now: () => Date;
}

export interface RunningJobs {
  /** Takes no further jobs and waits for running ones. */
  stop(): Promise<void>;
}

/** The pause between two clean-ups, in ms. */
const CLEAN_UP_MS = 3_600_000;

/**
 * How much the heap grows beyond what is in use before V8 collects garbage, in percent. By default
 * it waits until the heap has doubled, so that one large file made the process as large as several:
 * four uploads of 25 MiB took 575 MiB instead of 370, at the same speed (D-38).
 */
const HEAP_GROWTH = 20;

/** Starts running the jobs of all features. */
export async function startJobs(dependencies: JobDependencies): Promise<RunningJobs> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  const { config, database, nodes, storage, printer, metrics, logger, now, applicationName } =
    dependencies;
  const { publicUrl, heldDeliveryDays } = config;
  const {
    concurrency,
    linkSecret,
    mail,
    mailAttempts,
    mailBudgets,
    rejectedUploadDays,
    retention,
  } = config.jobs;
  const mailer = createMailer({ ...mail, logger, onAttempt: metrics.countMail });
  const signingUrls = createSigningUrls(publicUrl, linkSecret);
  const { knex, url: databaseUrl } = database;
  const coverage = createCoverage(now);
  const ofMandates = createMandateTasks({
    knex,
    mailer,
    signingUrls,
    mailAttempts,
    mailBudgets,
    logger,
    now,
  });
  const ofUploads = createUploadTasks({
    knex,
    storage,
    printer,
    coverage,
    heldDeliveryDays,
    rejectedUploadDays,
    nodes,
    logger,
    now,
    onUpload: metrics.countUpload,
  });
  const forAllFirms = {
    ...ofMandates.repeating,
    cleanUp: {
      name: 'cleaning up',
      pauseMs: CLEAN_UP_MS,
      run: inSteps([
        ofUploads.cleanUp,
        deleteOldAnswers(knex),
        deleteOldWindows(knex, RATE_LIMIT_SECONDS),
        deleteOldUsage(knex),
      ]),
    },
    sealAuditEntries: sealingWork(knex, logger, now),
    removeOldData: retentionWork({ knex, storage, now, logger }, retention),
  };
  const repeating = { ...ofUploads.repeating, ...checkedFirst(forAllFirms, nodes.check) };
  const tasks = {
    ...ofMandates.tasks,
    ...ofUploads.tasks,
    printFile: printer.printFile,
    ...createRepeatingTasks(knex, logger, repeating),
  };
  for (const task of Object.keys(tasks)) metrics.startJobCounters(task);
  await startRepeating(knex, repeating);
  const worker = await startWorker({
    databaseUrl,
    tasks,
    check: nodes.require,
    concurrency: concurrency + keptPlaces,
    filePlaces: concurrency,
    logger,
    applicationName,
    onConnectionFailure: metrics.countConnectionFailure,
    onEnd: metrics.countJob,
  });
  return {
    async stop() {
      await worker.stop();
      mailer.close();
    },
  };
}
