import type { ObjectStore } from '../../storage/object-store.js';
import type { Storage } from '../../storage/open-storage.js';
import { keptKeys } from './kept-upload.js';
import { maximumBytes } from './reading.js';
import type { Upload } from './upload-store.js';

/**
 * The bytes of an upload: from where it was put, or where it has been kept since it was rejected.
 * What is too large is not read.
 */
export async function fetchUpload(
  { store, buckets }: Storage,
  upload: Upload,
): Promise<Uint8Array | 'tooLarge' | 'gone'> {
  if (upload.size > maximumBytes) return 'tooLarge';
  const put = await store.get(upload.bucket, upload.key);
  if (put?.etag === upload.etag) return collect(put.bytes);
  // Another upload took its place: that one is read for itself.
  if (put !== undefined) await leave(put.bytes);
  const kept = await store.get(buckets.files, keptKeys(upload).bytes);
  return kept === undefined ? 'gone' : collect(kept.bytes);
}

/** Removes an upload, unless another one has taken its place. */
export async function removeUpload(store: ObjectStore, upload: Upload): Promise<void> {
  const { bucket, key, etag, receivedOn } = upload;
  const found = await store.head(bucket, key);
  if (found?.etag !== etag || secondOf(found.lastModified) !== secondOf(receivedOn)) return;
  // Another one may come at this moment, too.
  await store.remove(bucket, key, { ifMatch: etag });
}

function secondOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function leave(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes) break;
}
