import { inTransaction } from '../../db/transaction.js';
import { enqueue } from '../../jobs/enqueue.js';
import { type IngestParts, readUpload } from './read-upload.js';
import { readingJob } from './scan-uploads.js';
import { reopenUpload } from './upload-store.js';

/** A worker reads it should this process not come to the end, after so many ms. */
const patienceMs = 60_000;

/** Reads a rejected upload, or one that was given up, again and at once. */
export async function retryUpload(parts: IngestParts, uploadId: string): Promise<void> {
  const runAt = new Date(Date.now() + patienceMs);
  await inTransaction(parts.knex, async (trx) => {
    await reopenUpload(trx, uploadId);
    await enqueue(trx, { ...readingJob(uploadId), runAt });
  });
  await readUpload(parts, uploadId);
}
