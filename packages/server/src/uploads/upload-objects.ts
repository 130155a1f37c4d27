import { largestCopy, type ObjectStore } from '../storage/object-store.js';
import type { Storage } from '../storage/open-storage.js';
import { formats } from './documents/document.js';
import type { UploadFinding } from './documents/finding.js';
import { maximumBytes } from './documents/read-documents.js';
import type { Upload } from './upload-store.js';

/** The content of an upload, or why it was not read. */
export type UploadContent = Uint8Array | 'tooLarge' | 'gone';

/** True for an upload that stays where it was put: S3 does not copy an object of this size in one call. */
export function staysInPlace({ size }: Upload): boolean {
  return size > largestCopy;
}

/** Reads an upload from where it was put, or from where it was kept when it was rejected. */
export async function fetchUpload(
  { store, buckets }: Storage,
  upload: Upload,
): Promise<UploadContent> {
  if (upload.size > maximumBytes) return 'tooLarge';
  const put = await store.get(upload.bucket, upload.key);
  if (put?.etag === upload.etag) return collect(put.bytes);
  // Another upload has replaced it, which is read as an upload of its own.
  if (put !== undefined) await discard(put.bytes);
  const kept = await store.get(buckets.files, rejectedKeys(upload).bytes);
  return kept === undefined ? 'gone' : collect(kept.bytes);
}

/** Removes an upload from its bucket, unless another one has replaced it. */
export async function removeUpload(store: ObjectStore, upload: Upload): Promise<void> {
  const { bucket, key, etag, receivedOn } = upload;
  const found = await store.head(bucket, key);
  // The same bytes may have been put again, which is another upload.
  if (found?.etag !== etag || secondOf(found.lastModified) !== secondOf(receivedOn)) return;
  // Another one may replace it at this moment, too.
  await store.remove(bucket, key, { ifMatch: etag });
}

/** Keeps a rejected upload unchanged, with its findings beside it. */
export async function keepRejected(
  { store, buckets }: Storage,
  upload: Upload,
  content: UploadContent,
  findings: readonly UploadFinding[],
): Promise<void> {
  const keys = rejectedKeys(upload);
  const { contentType } = formats[upload.product];
  if (content instanceof Uint8Array) {
    await store.put(buckets.files, keys.bytes, content, contentType);
  } else if (content === 'tooLarge' && !staysInPlace(upload)) {
    await copyUnchanged(store, upload, { bucket: buckets.files, key: keys.bytes });
  }
  const { id, principal, product, key, size, receivedOn } = upload;
  const { firmId = null, userId = null } = principal ?? {};
  const described = { id, firmId, userId, product, key, size, receivedOn, findings };
  const text = `${JSON.stringify(described, null, 2)}\n`;
  await store.put(buckets.files, keys.findings, Buffer.from(text), 'application/json');
}

/** Removes the kept copy of an upload that was rejected before and is processed now. */
export async function removeRejected({ store, buckets }: Storage, upload: Upload): Promise<void> {
  const keys = rejectedKeys(upload);
  await store.remove(buckets.files, keys.bytes);
  await store.remove(buckets.files, keys.findings);
}

/** Rejected uploads are in the bucket of listed files, under a prefix that is never listed. */
function rejectedKeys({ id, product }: Upload): { bytes: string; findings: string } {
  return {
    bytes: `rejected/${id}.${formats[product].extension}`,
    findings: `rejected/${id}.json`,
  };
}

/** Copies an upload that is too large to be read, unless another one has replaced it. */
async function copyUnchanged(
  store: ObjectStore,
  { bucket, key, etag }: Upload,
  to: { readonly bucket: string; readonly key: string },
): Promise<void> {
  const found = await store.head(bucket, key);
  if (found?.etag === etag) await store.copy({ bucket, key }, to);
}

function secondOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

/** All bytes of an object. */
export async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Ends a download without reading it. */
async function discard(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes) break;
}
