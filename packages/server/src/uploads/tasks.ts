import type { Logger } from 'pino';
import { z } from 'zod';
import { inTransaction } from '../../db/transaction.js';
import { enqueue } from '../../jobs/enqueue.js';
import type { Job, Tasks } from '../../jobs/job.js';
import { type IngestParts, readUpload } from './read-upload.js';
import { scanUploads } from './scan-uploads.js';

/** How long after a look for uploads the next one follows, in ms. */
const usualIntervalMs = 3_000;

const uploadToRead = z.strictObject({ uploadId: z.string() });

export interface IngestTaskParts extends IngestParts {
  readonly logger: Logger;
  readonly scanIntervalMs?: number;
}

/** The job that looks for uploads: enqueue it when a worker starts, and it goes on by itself. */
export function scanningJob(runAt: Date): Job {
  return { task: 'scanUploads', payload: {}, key: 'scanUploads', runAt };
}

/** What workers do for files. Each task may run twice, and does its work once. */
export function createIngestTasks(parts: IngestTaskParts): Tasks {
  const { knex, logger, scanIntervalMs = usualIntervalMs } = parts;
  let isFailing = false;

  /** Tells of an outage once, and goes on looking at the same pace. */
  async function look(): Promise<void> {
    try {
      await scanUploads(parts, parts.now());
      if (isFailing) logger.info('uploads can be looked for again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'uploads cannot be looked for');
      isFailing = true;
    }
  }

  async function scan(): Promise<void> {
    await look();
    const next = scanningJob(new Date(Date.now() + scanIntervalMs));
    await inTransaction(knex, (trx) => enqueue(trx, next));
  }

  return {
    scanUploads: Object.assign(scan, { isRoutine: true }),
    readUpload: (payload) => readUpload(parts, uploadToRead.parse(payload).uploadId),
  };
}
