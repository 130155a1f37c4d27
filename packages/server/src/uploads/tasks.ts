import type { Logger } from 'pino';
import { z } from 'zod';
import { inTransaction } from '../db/transaction.js';
import { enqueue, type Job, type Tasks } from '../jobs/job.js';
import { expireHeld } from './deliveries/held-deliveries.js';
import { releaseDeliveries } from './deliveries/release-delivery.js';
import { removeDueObjects } from './object-removals.js';
import type { UploadParts } from './process-documents.js';
import { readUpload } from './read-upload.js';
import { scanUploads } from './scan-uploads.js';
import { deleteUnusedGrants } from './upload-grants.js';

const DAY_MS = 24 * 3_600_000;

/** The pause between two scans of the upload buckets, in ms. */
const SCAN_MS = 3_000;

/** The pause between two clean-ups, in ms. */
const CLEAN_UP_MS = 3_600_000;

const uploadToRead = z.strictObject({ uploadId: z.string() });
const signedLink = z.strictObject({ linkId: z.string() });

export interface UploadTaskParts extends UploadParts {
  readonly logger: Logger;
  /** How long deliveries are held that no signed mandate covers, in days. */
  readonly heldDeliveryDays: number;
  readonly scanIntervalMs?: number;
}

/** The tasks that enqueue themselves again; a worker enqueues each of them when it starts. */
export const repeatingTasks = ['scanUploads', 'cleanUpUploads'] as const;
type RepeatingTask = (typeof repeatingTasks)[number];

export function repeatingJob(task: RepeatingTask, runAt: Date): Job {
  return { task, payload: {}, key: task, runAt };
}

/** The tasks of uploads and deliveries. Each may run twice, and does its work once. */
export function createUploadTasks(parts: UploadTaskParts): Tasks {
  const { knex, logger, heldDeliveryDays, scanIntervalMs = SCAN_MS } = parts;
  let isFailing = false;

  /** Logs the beginning and the end of an outage only. Returns whether the scan is complete. */
  async function scan(): Promise<boolean> {
    try {
      await scanUploads(parts, parts.now());
      if (isFailing) logger.info('upload buckets can be scanned again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'upload buckets cannot be scanned');
      isFailing = true;
    }
    return !isFailing;
  }

  async function expire(): Promise<void> {
    const now = parts.now();
    const heldBefore = new Date(now.getTime() - heldDeliveryDays * DAY_MS);
    const expired = await inTransaction(knex, (trx) => expireHeld(trx, heldBefore, now));
    for (const { id, uploadId } of expired) {
      logger.warn({ delivery: id, upload: uploadId }, 'a held delivery was deleted unlisted');
    }
  }

  async function deleteGrants(): Promise<void> {
    // Once every object is recorded, a grant without an upload was not used.
    if (await scan()) await deleteUnusedGrants(knex, parts.now());
  }

  const repeat = (task: RepeatingTask, pauseMs: number): Promise<void> =>
    inTransaction(knex, (trx) => enqueue(trx, repeatingJob(task, new Date(Date.now() + pauseMs))));

  return {
    scanUploads: Object.assign(
      async () => {
        await scan();
        await repeat('scanUploads', scanIntervalMs);
      },
      { isRoutine: true },
    ),
    cleanUpUploads: async () => {
      for (const step of [expire, () => removeDueObjects(parts, parts.now()), deleteGrants]) {
        // A step that fails is done by the next clean-up, and does not keep the others from being done.
        await step().catch((error: unknown) => {
          logger.warn({ err: error }, 'clean-up of uploads and deliveries failed');
        });
      }
      await repeat('cleanUpUploads', CLEAN_UP_MS);
    },
    readUpload: (payload) => readUpload(parts, uploadToRead.parse(payload).uploadId),
    releaseDeliveries: (payload) => releaseDeliveries(parts, signedLink.parse(payload).linkId),
  };
}
