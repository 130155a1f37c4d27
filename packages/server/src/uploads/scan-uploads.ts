import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { enqueue, type Job } from '../jobs/job.js';
import type { StoredObject } from '../storage/object-store.js';
import type { Storage } from '../storage/open-storage.js';
import type { Product } from './documents/document.js';
import { noteUploads } from './upload-store.js';

/** Objects recorded in one transaction. */
const batchSize = 250;

/** How long a settled upload may stay in its bucket before a scan removes it, in ms. */
const leftBehindMs = 60_000;

/** The job that reads an upload. */
export function readingJob(uploadId: string): Job {
  return { task: 'readUpload', payload: { uploadId }, key: `readUpload:${uploadId}` };
}

/** Finds new objects in the upload buckets and enqueues a job for each, one however many processes scan. */
export async function scanUploads(
  { knex, storage: { store, buckets } }: { readonly knex: Knex; readonly storage: Storage },
  now: Date,
): Promise<void> {
  const settledBefore = new Date(now.getTime() - leftBehindMs);
  const sources: [Product, string][] = [
    ['CODA', buckets.codaUploads],
    ['CODB', buckets.codbUploads],
  ];
  for (const [product, bucket] of sources) {
    for await (const objects of batchesOf(store.list(bucket, 'uploads/'))) {
      await inTransaction(knex, async (trx) => {
        const ids = await noteUploads(trx, { product, bucket, objects }, settledBefore);
        for (const id of ids) await enqueue(trx, readingJob(id));
      });
    }
  }
}

async function* batchesOf(objects: AsyncIterable<StoredObject>): AsyncGenerator<StoredObject[]> {
  let batch: StoredObject[] = [];
  for await (const object of objects) {
    batch.push(object);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
