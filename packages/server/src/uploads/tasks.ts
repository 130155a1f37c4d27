import type { Logger } from 'pino';
import { z } from 'zod';
import { DAY } from '../dates/brussels-day.js';
import { inTransaction } from '../db/transaction.js';
import { enqueue, type Job, type Tasks } from '../jobs/job.js';
import { removeExpired } from './deliveries/held-deliveries.js';
import { releaseDeliveries } from './deliveries/release-delivery.js';
import { removeDueObjects } from './object-removals.js';
import { createFilePrinter } from './print-files.js';
import type { UploadDependencies } from './process-documents.js';
import { createUploadReader } from './reading/read-turn.js';
import { scanUploads } from './scan-uploads.js';
import { deleteUnusedGrants } from './upload-grants.js';
import { removeRejectedBefore } from './upload-objects.js';

/** The pause between two scans of the upload buckets, in ms. */
const SCAN_MS = 3_000;

/** The pause between two searches for files to print, in ms, and the longest time that one run prints. */
const PRINT_MS = 2_000;

/** The pause between two clean-ups, in ms. */
const CLEAN_UP_MS = 3_600_000;

const readUploadsPayload = z.strictObject({ firmId: z.string().nullable() });
const releaseDeliveriesPayload = z.strictObject({ linkId: z.string() });

/** The tasks that enqueue themselves again. A worker enqueues each of them when it starts. */
export const repeatingTasks = ['scanUploads', 'printFiles', 'cleanUpUploads'] as const;
type RepeatingTask = (typeof repeatingTasks)[number];

export function repeatingJob(task: RepeatingTask, runAt: Date): Job {
  return { task, payload: {}, key: task, runAt };
}

/** Creates the tasks of uploads and deliveries. */
export function createUploadTasks(
  dependencies: UploadDependencies & {
    readonly logger: Logger;
    /** How long deliveries are held without a signed mandate, in days. */
    readonly heldDeliveryDays: number;
    /** How long the copies of rejected uploads are kept, in days. */
    readonly rejectedUploadDays: number;
    readonly scanIntervalMs?: number;
    /** How long a firm's uploads are read before it is another firm's turn, in ms. */
    readonly turnMs?: number;
  },
) {
  const { knex, logger, now, heldDeliveryDays, rejectedUploadDays } = dependencies;
  const { scanIntervalMs = SCAN_MS } = dependencies;
  const printer = createFilePrinter(dependencies);
  const reader = createUploadReader(dependencies);
  const failing = new Set<string>();

  /** Does some work and returns its result; undefined if it fails. Logs only the start and end of an outage. */
  async function attempt<Result>(
    work: string,
    run: () => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    try {
      const result = await run();
      if (failing.delete(work)) logger.info(`${work} works again`);
      return { result };
    } catch (error) {
      if (!failing.has(work)) logger.warn({ err: error }, `${work} failed`);
      failing.add(work);
      return undefined;
    }
  }

  const scan = () => attempt('scanning the upload buckets', () => scanUploads(dependencies, now()));

  async function removeExpiredDeliveries(): Promise<void> {
    const heldBefore = new Date(now().getTime() - heldDeliveryDays * DAY);
    const expired = await inTransaction(knex, (trx) => removeExpired(trx, heldBefore, now()));
    for (const { id, uploadId } of expired) {
      logger.warn(
        { delivery: id, upload: uploadId },
        'deleted a held delivery that was never listed',
      );
    }
  }

  async function removeExpiredCopies(): Promise<void> {
    const rejectedBefore = new Date(now().getTime() - rejectedUploadDays * DAY);
    const expired = await inTransaction(knex, (trx) =>
      removeRejectedBefore(trx, rejectedBefore, now()),
    );
    for (const upload of expired) logger.info({ upload }, 'deleted the copy of a rejected upload');
  }

  async function deleteGrants(): Promise<void> {
    // Only after a complete scan is a grant without an upload certain to be unused.
    if ((await scan()) !== undefined) await deleteUnusedGrants(knex, now());
  }

  const repeat = (task: RepeatingTask, pauseMs: number): Promise<void> =>
    inTransaction(knex, (trx) => enqueue(trx, repeatingJob(task, new Date(Date.now() + pauseMs))));

  return {
    upkeep: {
      scanUploads: Object.assign(
        async () => {
          await scan();
          await repeat('scanUploads', scanIntervalMs);
        },
        { isRoutine: true },
      ),
      printFiles: Object.assign(
        async () => {
          const printed = await attempt('printing files', () => printer.printOldest(PRINT_MS));
          await repeat('printFiles', printed?.result === true ? 0 : PRINT_MS);
        },
        { isRoutine: true },
      ),
      cleanUpUploads: async () => {
        const removeObjects = () => removeDueObjects(dependencies, now());
        for (const step of [
          removeExpiredDeliveries,
          removeExpiredCopies,
          removeObjects,
          deleteGrants,
        ]) {
          // The next clean-up repeats a failed step; the other steps go on.
          await step().catch((error: unknown) => {
            logger.warn({ err: error }, 'a step of the clean-up of uploads failed');
          });
        }
        await repeat('cleanUpUploads', CLEAN_UP_MS);
      },
    },
    reading: {
      readUploads: (payload) => reader.readTurn(readUploadsPayload.parse(payload).firmId),
      releaseDeliveries: (payload) =>
        releaseDeliveries(dependencies, releaseDeliveriesPayload.parse(payload).linkId),
    },
  } satisfies Record<string, Tasks>;
}
