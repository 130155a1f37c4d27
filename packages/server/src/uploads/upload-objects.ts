import { largestCopy } from '../../storage/object-store.js';
import type { Storage } from '../../storage/open-storage.js';
import { isRejected, type Reading } from './reading.js';
import { keptFindingsOf } from './upload-finding.js';
import { tenantOf, type Upload } from './upload-store.js';
import { formats } from './uploaded-document.js';

/** Where rejected uploads are kept: beside the files that are listed, and never listed. */
export function keptKeys({ id, key, product }: Upload): { bytes: string; findings: string } {
  const tenant = tenantOf(key);
  // Only a firm's own folder has a name that is safe to repeat.
  const folder = `rejected/${/^[a-z0-9-]+$/.test(tenant) ? tenant : 'unknown'}/${id}`;
  return { bytes: `${folder}.${formats[product].extension}`, findings: `${folder}.json` };
}

/** Whether an upload stays where it was put: no storage copies it in one go. */
export function staysInPlace({ size }: Upload): boolean {
  return size > largestCopy;
}

/** Keeps a rejected upload as it came, with its findings beside it. */
export async function keepUpload(
  { store, buckets }: Storage,
  upload: Upload,
  bytes: Uint8Array | 'tooLarge' | 'gone',
  reading: Reading,
): Promise<void> {
  if (!isRejected(reading)) return;
  const kept = keptKeys(upload);
  const { contentType } = formats[upload.product];
  if (bytes instanceof Uint8Array) await store.put(buckets.files, kept.bytes, bytes, contentType);
  if (bytes === 'tooLarge' && !staysInPlace(upload)) {
    await moveAside(store, upload, { bucket: buckets.files, key: kept.bytes });
  }
  const { id, firmId, product, key, size, receivedOn } = upload;
  const findings = keptFindingsOf(reading.findings, reading.omittedFindings);
  const described = { id, firmId, product, key, size, receivedOn, findings };
  const text = `${JSON.stringify(described, null, 2)}\n`;
  await store.put(buckets.files, kept.findings, Buffer.from(text), 'application/json');
}

/** Copies what is too large to be read; when it is read again, the copy is all there is. */
async function moveAside(
  store: Storage['store'],
  { bucket, key, etag }: Upload,
  to: { readonly bucket: string; readonly key: string },
): Promise<void> {
  const found = await store.get(bucket, key);
  if (found === undefined) return;
  for await (const _ of found.bytes) break;
  // Another upload took its place: that one is read for itself.
  if (found.etag !== etag) return;
  await store.copy({ bucket, key }, to);
}

/** Removes what was kept of an upload that has become readable. */
export async function forgetKept({ store, buckets }: Storage, upload: Upload): Promise<void> {
  const kept = keptKeys(upload);
  await store.remove(buckets.files, kept.bytes);
  await store.remove(buckets.files, kept.findings);
}
