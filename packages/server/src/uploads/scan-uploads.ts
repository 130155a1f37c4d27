import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import type { StoredObject } from '../storage/object-store.js';
import type { Storage } from '../storage/open-storage.js';
import type { Product } from './documents/document.js';
import { enqueueTurns, findDueFirms } from './reading/due-uploads.js';
import { recordUploads } from './upload-store.js';

/** The number of objects recorded in one transaction. */
const batchSize = 250;

/** How long an upload with an outcome may stay in its bucket before a scan has it removed, in ms. */
const removalDelayMs = 60_000;

/**
 * Records new objects in the upload buckets, each once even if several processes scan, and enqueues a
 * turn for each firm with uploads to read. Folder markers are removed without an outcome (D-31).
 *
 * @throws AggregateError if some markers could not be removed, after all uploads were recorded
 */
export async function scanUploads(
  { knex, storage: { store, buckets } }: { readonly knex: Knex; readonly storage: Storage },
  now: Date,
): Promise<void> {
  const endedBefore = new Date(now.getTime() - removalDelayMs);
  const failures: unknown[] = [];
  const sources: [Product, string][] = [
    ['CODA', buckets.codaUploads],
    ['CODB', buckets.codbUploads],
  ];
  for (const [product, bucket] of sources) {
    for await (const objects of batchesOf(store.list(bucket, 'uploads/'))) {
      const uploads = objects.filter((object) => !isFolderMarker(object));
      await inTransaction(knex, async (trx) => {
        const firmIds = await recordUploads(trx, { product, bucket }, uploads, endedBefore);
        // No firm waits for the rest of the scan.
        await enqueueTurns(trx, firmIds);
      });
      for (const { key, etag } of objects.filter(isFolderMarker)) {
        await store.remove(bucket, key, { ifMatch: etag }).catch((error) => failures.push(error));
      }
    }
  }
  await inTransaction(knex, async (trx) => enqueueTurns(trx, await findDueFirms(trx)));
  if (failures.length > 0) throw new AggregateError(failures, 'Some folder markers remain');
}

/** Programs that show a bucket as folders create an empty object for each of them. */
function isFolderMarker({ key, size }: StoredObject): boolean {
  return size === 0 && key.endsWith('/');
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
