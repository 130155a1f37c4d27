import type { Product } from '@adx/contract';
import type { Knex } from 'knex';
import { z } from 'zod';
import type { Nodes } from '../db/nodes.js';
import { inTransaction } from '../db/transaction.js';
import { products } from '../files/document.js';
import { enqueueAll } from '../jobs/job.js';
import { attemptEach, type Part } from '../jobs/repeating-tasks.js';
import type { StoredObject } from '../storage/object-store.js';
import type { Storage } from '../storage/open-storage.js';
import { uploadBuckets } from '../storage/storage-settings.js';
import { readUploadJob } from './reading/read-job.js';
import { firmsOf, grantIdOf, isFolderMarker, recordUploads } from './record-uploads.js';
import { findNextPrefix, middlePrefix } from './upload-grants.js';
import type { Upload } from './upload-store.js';

/**
 * The number of waiting uploads of a firm in a bucket beyond which a scan passes over its further
 * objects (D-38), of objects recorded in one transaction, and of lost jobs enqueued at once.
 */
const MAX_WAITING = 1000;

/** The time that an upload with an outcome may stay in its bucket, in ms. */
const removalDelayMs = 60_000;

/** The number of folder markers that a scan removes. */
const maxMarkers = 100;

type Marker = Pick<StoredObject, 'key' | 'etag'> & { readonly bucket: string };

/** The keys that a part of a scan lists: those after one, up to another, or to the end. */
const keyRange = z.strictObject({
  product: z.enum(products),
  after: z.string(),
  upTo: z.string().nullable(),
});

interface ScannedBucket {
  readonly product: Product;
  readonly bucket: string;
  readonly settledBefore: Date;
  readonly wholeFirmId: string | undefined;
  readonly range: { readonly after?: string; readonly upTo: string | null };
  readonly share: Part['share'] | undefined;
}

interface ScanDependencies {
  readonly knex: Knex;
  readonly storage: Storage;
  readonly nodes: Pick<Nodes, 'leaveOut' | 'isWhole'>;
  readonly maxWaiting?: number;
}

/**
 * Records new uploads, and removes folder markers, which have no outcome (D-31).
 *
 * @param part - of a scan that several workers share
 * @returns false if it passed over objects of a firm, which a later scan records
 * @throws AggregateError if some markers could not be removed, after all uploads were recorded;
 *   what `recordNewUploads` throws, before any marker is removed
 */
export async function scanUploads(
  dependencies: ScanDependencies,
  now: Date,
  part?: Part,
): Promise<boolean> {
  const { isComplete, markers } = await recordNewUploads(dependencies, now, { part });
  await attemptEach(
    markers.slice(0, maxMarkers),
    // The name is left out, because the uploader chose it.
    ({ bucket, key }) => `folder marker of grant ${grantIdOf(key) ?? 'none'} in ${bucket}`,
    ({ bucket, key, etag }) => dependencies.storage.store.remove(bucket, key, { ifMatch: etag }),
  );
  return isComplete;
}

/**
 * Records new uploads, each once even if several processes do so, and enqueues their jobs. The
 * place of a job is the number of uploads of its firm that wait before it (D-67).
 *
 * @param options.wholeFirmId - a firm all of whose objects are recorded, however many wait
 * @throws Error if a node does not respond, after the uploads of all other firms were recorded, or
 *   before if it has just stopped
 */
export async function recordNewUploads(
  dependencies: ScanDependencies,
  now: Date,
  { part, wholeFirmId }: { readonly part?: Part | undefined; readonly wholeFirmId?: string } = {},
): Promise<{ readonly isComplete: boolean; readonly markers: readonly Marker[] }> {
  const { storage } = dependencies;
  const settledBefore = new Date(now.getTime() - removalDelayMs);
  const buckets = uploadBuckets(storage.buckets);
  const markers: Marker[] = [];
  let isComplete = true;
  let failure: unknown;
  const range = part?.rest === undefined ? undefined : keyRange.parse(part.rest);
  for (const product of range === undefined ? products : [range.product]) {
    const source = {
      ...{ product, bucket: buckets[product], settledBefore, wholeFirmId },
      ...{ range: range ?? { upTo: null }, share: part?.share },
    };
    const scanned = await scanBucket(dependencies, source, markers);
    isComplete &&= scanned.isComplete;
    failure ??= scanned.failure;
  }
  if (failure !== undefined) throw failure;
  return { isComplete, markers };
}

/**
 * Records the new objects of a bucket.
 *
 * @returns `isComplete` false if it passed over some, and why it failed for some firms
 */
async function scanBucket(
  { knex, storage: { store }, nodes, maxWaiting = MAX_WAITING }: ScanDependencies,
  { product, bucket, settledBefore, wholeFirmId, range, share }: ScannedBucket,
  markers: Marker[],
): Promise<{ readonly isComplete: boolean; readonly failure: unknown }> {
  const waiting = new Map<string, number>();
  const before = (firmId: string) => waiting.get(firmId) ?? 0;
  const isFull = (firmId: string) =>
    before(firmId) >= maxWaiting && firmId !== wholeFirmId && firmId !== '';
  let startAfter = range.after;
  let end = range.upTo;
  let isComplete = true;
  let failure: unknown;
  do {
    const objects = until(store.list(bucket, 'uploads/', startAfter), () => end);
    startAfter = undefined;
    for await (const listed of batchesOf(objects, maxWaiting)) {
      const owners = [...waiting.keys()].some(isFull) ? await firmsOf(knex, listed) : [];
      const batch = listed.filter((_, index) => !isFull(owners[index] ?? ''));
      if (batch.length < listed.length) isComplete = false;
      const record = (ofFirms: readonly StoredObject[]) =>
        inTransaction(knex, async (trx) => {
          const found = await recordUploads(trx, { product, bucket }, ofFirms, settledBefore);
          // No firm waits for the rest of the scan.
          await enqueueAll(
            trx,
            found.flatMap(({ firmId, due, waiting: inLine }) =>
              due.map((upload, index) =>
                readUploadJob(
                  { ...upload, firmId },
                  before(firmId) + Math.max(inLine - due.length, 0) + index,
                ),
              ),
            ),
          );
          return found;
        });
      const recorded = await nodes.leaveOut(batch, (some) => firmsOf(knex, some), record);
      failure ??= recorded.failure;
      for (const { key, etag } of batch.filter(isFolderMarker)) markers.push({ bucket, key, etag });
      for (const { firmId, waiting: more } of recorded.result ?? []) {
        waiting.set(firmId, before(firmId) + more);
      }
      // Both search the grants of all firms.
      if (!nodes.isWhole()) continue;
      const last = listed.at(-1)?.key ?? '';
      if (share !== undefined && listed.length === maxWaiting) {
        const after = await middlePrefix(knex, product, last, end);
        if (after !== undefined && (await share({ product, after, upTo: end }))) end = after;
      }
      const full = [...waiting.keys()].filter(isFull);
      const rest = await findNextPrefix(knex, product, last, full);
      if (rest === undefined) continue;
      isComplete = false;
      startAfter = rest.prefix ?? undefined;
      break;
    }
  } while (startAfter !== undefined);
  return { isComplete, failure };
}

/** Ends a list after a key, which may come nearer meanwhile. */
async function* until(
  objects: AsyncIterable<StoredObject>,
  end: () => string | null,
): AsyncGenerator<StoredObject> {
  for await (const object of objects) {
    const last = end();
    if (last !== null && object.key > last) return;
    yield object;
  }
}

async function* batchesOf(
  objects: AsyncIterable<StoredObject>,
  batchSize: number,
): AsyncGenerator<StoredObject[]> {
  let batch: StoredObject[] = [];
  for await (const object of objects) {
    batch.push(object);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Enqueues a job for uploads that have waited for an hour and have none: they are no longer in
 * their bucket, or were retried by an operator whose process has ended.
 */
export async function enqueueForgotten(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{
    rows: Pick<Upload, 'id' | 'firmId' | 'size'>[];
  }>(
    `select u.id, u.size::float8 as size, u.firm_id as "firmId"
       from unprocessed_uploads p
       join uploads u on u.id = p.upload_id and u.firm_id = p.firm_id
       left join firms f on f.id = u.firm_id
      where p.status = 'received' and u.source = 'upload' and f.disabled_on is null
        and u.received_on < now() - interval '1 hour'
        and not exists (select from graphile_worker.jobs j where j.key = 'readUpload:' || u.id)
      order by u.received_on limit ${MAX_WAITING}`,
  );
  await enqueueAll(
    knex,
    rows.map((upload, place) => readUploadJob(upload, place)),
  );
}
