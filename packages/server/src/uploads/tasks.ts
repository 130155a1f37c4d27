import type { Logger } from 'pino';
import { z } from 'zod';
import { DAY } from '../dates/brussels-day.js';
import type { Nodes } from '../db/nodes.js';
import { requireSameClock } from '../db/same-clock.js';
import { inTransaction } from '../db/transaction.js';
import { removeDueObjects } from '../files/object-removals.js';
import type { Tasks } from '../jobs/job.js';
import { attemptEach, type RepeatingStep, type RepeatingWorks } from '../jobs/repeating-tasks.js';
import { removeExpired } from './deliveries/held-deliveries.js';
import { releaseDeliveries } from './deliveries/release-delivery.js';
import { createReadTask } from './reading/read-job.js';
import type { ReadingDependencies } from './reading/read-upload.js';
import { enqueueForgotten, scanUploads } from './scan-uploads.js';
import { deleteUnusedGrants } from './upload-grants.js';
import { removeRejectedBefore } from './upload-objects.js';

/** The pause between two scans of the upload buckets, in ms. */
export const SCAN_MS = 3_000;

const REMOVAL_MS = 3_600_000;

const releaseDeliveriesPayload = z.strictObject({ linkId: z.string(), firmId: z.string() });

export function createUploadTasks(
  dependencies: ReadingDependencies & {
    readonly logger: Logger;
    readonly nodes: Nodes;
    /** How long deliveries are held without a signed mandate, in days. */
    readonly heldDeliveryDays: number;
    /** How long the copies of rejected uploads are kept, in days. */
    readonly rejectedUploadDays: number;
    readonly onUpload?: (upload: { readonly product: string; readonly outcome: string }) => void;
    readonly scanIntervalMs?: number;
    readonly maxWaiting?: number;
    /** How long an upload is read before it is the turn of others, in ms. */
    readonly turnMs?: number;
  },
) {
  const { knex, logger, now, heldDeliveryDays, rejectedUploadDays } = dependencies;
  const { scanIntervalMs = SCAN_MS } = dependencies;

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
    if (await scanUploads(dependencies, now())) await deleteUnusedGrants(knex, now());
    else logger.warn('a firm has so many uploads that some wait in their bucket to be recorded');
  }

  const cleanUp: RepeatingStep = {
    name: 'cleaning up uploads',
    async run() {
      await requireSameClock(knex);
      const steps = {
        'expired deliveries': removeExpiredDeliveries,
        'expired copies': removeExpiredCopies,
        'unused grants': deleteGrants,
        'forgotten uploads': () => enqueueForgotten(knex),
      };
      await attemptEach(
        Object.entries(steps),
        ([name]) => name,
        ([, step]) => step(),
      );
      return 'done';
    },
  };

  const tasks = {
    readUpload: createReadTask(dependencies),
    releaseDeliveries: {
      run: (payload) => releaseDeliveries(dependencies, releaseDeliveriesPayload.parse(payload)),
    },
  } satisfies Tasks;
  const repeating = {
    scanUploads: {
      name: 'scanning the upload buckets',
      pauseMs: scanIntervalMs,
      async run(part) {
        await scanUploads(dependencies, now(), part);
        return 'done';
      },
    },
    removeObjects: {
      name: 'removing objects',
      pauseMs: REMOVAL_MS,
      async run({ share }) {
        await requireSameClock(knex);
        const { isLeft, refusal } = await removeDueObjects(dependencies, now(), share);
        // Those that were refused are due again later, so they keep no others waiting.
        if (refusal !== undefined) logger.warn({ err: refusal }, 'some objects cannot be removed');
        return isLeft ? 'moreLeft' : 'done';
      },
    },
  } satisfies RepeatingWorks;
  return { tasks, repeating, cleanUp };
}
