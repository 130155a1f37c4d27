import type { Knex } from 'knex';
import { formats } from '../files/document.js';
import { scheduleRemoval } from '../files/object-removals.js';
import { type ObjectStore, orUnreadable } from '../storage/object-store.js';
import type { Storage } from '../storage/open-storage.js';
import { largestCopy } from '../storage/storage-settings.js';
import { countOmitted, type KeptFindings } from './documents/finding.js';
import { maximumBytes } from './documents/read-documents.js';
import { uploadId } from './record-uploads.js';
import type { Upload } from './upload-store.js';

export type UploadContent =
  | {
      readonly bytes: AsyncIterable<Uint8Array>;
      /** True for the copy that was kept when it was rejected. */
      readonly isCopy: boolean;
    }
  | 'tooLarge'
  /** The storage does not return it: it is encrypted with a key of its own, or archived. */
  | 'unreadable'
  | 'gone';

/** Returns true if S3 cannot copy the upload in one call, so that it stays in its bucket. */
export function isTooLargeToCopy({ size }: Upload): boolean {
  return size > largestCopy;
}

export async function openUpload(
  { store, buckets }: Storage,
  upload: Upload,
): Promise<UploadContent> {
  if (upload.size > maximumBytes) return 'tooLarge';
  const found = await store.get(upload.bucket, upload.key).catch(orUnreadable);
  if (found === 'unreadable') return found;
  if (found?.etag === upload.etag) return { bytes: found.bytes, isCopy: false };
  // A later upload has replaced it. That one is read separately.
  if (found !== undefined) await discard(found.bytes);
  const kept = await store.get(buckets.files, rejectedKeys(upload).bytes);
  return kept === undefined ? 'gone' : { bytes: kept.bytes, isCopy: true };
}

/** Removes an upload from its bucket, unless a later one has replaced it. */
export async function removeUpload(store: ObjectStore, upload: Upload): Promise<void> {
  const { id, bucket, key, etag } = upload;
  const found = await store.find(bucket, key);
  // The same bytes put again are another upload.
  if (found === undefined || uploadId(bucket, { ...found, key }) !== id) return;
  // Another upload may still replace it before this call.
  await store.remove(bucket, key, { ifMatch: etag });
}

/** Keeps a copy of a rejected upload, and its findings in a separate object. */
export async function keepRejected(
  { store, buckets }: Storage,
  upload: Upload,
  content: UploadContent,
  found: KeptFindings,
): Promise<void> {
  const keys = rejectedKeys(upload);
  const isInBucket = content === 'tooLarge' || (typeof content === 'object' && !content.isCopy);
  if (isInBucket && !isTooLargeToCopy(upload)) {
    const found = await store.find(upload.bucket, upload.key);
    // Otherwise a later upload has replaced it.
    if (found?.etag === upload.etag) {
      await store.copy(upload, { bucket: buckets.files, key: keys.bytes });
    }
  }
  const { id, principal, product, key, size, receivedOn } = upload;
  const { firmId = null, userId = null } = principal ?? {};
  const findings = countOmitted(found).filter(({ code }) => code !== 'alreadyListed');
  const described = { id, firmId, userId, product, key, size, receivedOn, findings };
  const text = `${JSON.stringify(described, null, 2)}\n`;
  await store.put(buckets.files, keys.findings, Buffer.from(text), 'application/json');
}

/** Schedules the removal of the copy of an upload that was rejected before it was processed. */
export async function removeRejected(
  trx: Knex.Transaction,
  { id, firmId, product }: Pick<Upload, 'id' | 'firmId' | 'product'>,
  now: Date,
): Promise<void> {
  const processed = { id, firm_id: firmId, status: 'processed', has_copy: true };
  const copies = await trx('uploads').where(processed).update({ has_copy: false });
  if (copies > 0) await scheduleRemoval(trx, Object.values(rejectedKeys({ id, product })), now);
}

/**
 * Schedules the removal of copies. Their uploads keep their rows, but cannot be read again.
 *
 * @returns the ids of the uploads
 */
export async function removeRejectedBefore(
  trx: Knex.Transaction,
  rejectedBefore: Date,
  now: Date,
): Promise<string[]> {
  const expired = `u.status = 'rejected' and u.settled_on < :rejectedBefore and u.copy_removed_on is null`;
  const { rows: found } = await trx.raw<{ rows: Pick<Upload, 'id' | 'firmId'>[] }>(
    `select u.id, u.firm_id as "firmId"
       from unprocessed_uploads p
       join uploads u on u.id = p.upload_id and u.firm_id = p.firm_id
      where p.status = 'rejected' and p.rejected_on < :rejectedBefore and ${expired}`,
    { rejectedBefore },
  );
  const rows: Pick<Upload, 'id' | 'product'>[] = [];
  for (const firmId of [...new Set(found.map((upload) => upload.firmId))].sort()) {
    const ids = found.flatMap((upload) => (upload.firmId === firmId ? upload.id : []));
    const updated = await trx.raw<{ rows: typeof rows }>(
      // Not one that is being read again.
      `with expired as (
         select u.id from uploads u
          where u.firm_id = :firmId and u.id = any(:ids) and ${expired}
          order by u.id for no key update)
       update uploads u set copy_removed_on = :now from expired e
        where u.id = e.id and u.firm_id = :firmId
       returning u.id, u.product`,
      { firmId, ids, rejectedBefore, now },
    );
    rows.push(...updated.rows);
  }
  const keys = rows.map(rejectedKeys).flatMap((copy) => Object.values(copy));
  await scheduleRemoval(trx, keys, now);
  return rows.map(({ id }) => id);
}

/** Returns keys in the bucket of listed files, under a prefix that no listing uses. */
export function rejectedKeys({ id, product }: Pick<Upload, 'id' | 'product'>) {
  return {
    bytes: `rejected/${id}.${formats[product].extension}`,
    findings: `rejected/${id}.json`,
  };
}

export async function discard(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes) break;
}
