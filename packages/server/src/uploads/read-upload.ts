import type { Knex } from 'knex';
import { inTransaction } from '../../db/transaction.js';
import type { Storage } from '../../storage/open-storage.js';
import type { FileFollower } from '../file-follower.js';
import { fetchUpload, removeUpload } from './fetch-upload.js';
import { forgetKept, keepUpload, staysInPlace } from './kept-upload.js';
import { maximumBytes, type Reading, readIntake, unread } from './reading.js';
import { settleReading } from './settle-reading.js';
import { findUpload, holdReceived, type Upload } from './upload-store.js';

export interface IngestParts {
  readonly knex: Knex;
  readonly storage: Storage;
  readonly follower: FileFollower;
  readonly now: () => Date;
}

/**
 * Reads an upload, lists its files, and removes it. A process that is killed anywhere in it loses
 * nothing and doubles nothing, and neither do two that do it at once: objects are stored first,
 * under keys that are the same each time; then one transaction lists all files, and only one can;
 * then the upload is removed, as often as it takes.
 */
export async function readUpload(parts: IngestParts, uploadId: string): Promise<void> {
  const { knex, storage } = parts;
  const upload = await findUpload(knex, uploadId);
  if (upload === undefined) return;
  if (upload.status === 'received') await settle(parts, upload);
  const settled = await findUpload(knex, uploadId);
  if (settled === undefined || settled.status === 'received') return;
  if (staysInPlace(settled)) return;
  await removeUpload(storage.store, settled);
  if (settled.status === 'processed') await forgetKept(storage, settled);
}

async function settle(parts: IngestParts, upload: Upload): Promise<void> {
  const { knex, storage } = parts;
  const bytes = await fetchUpload(storage, upload);
  const reading = await readBytes(parts, upload, bytes);
  await keepUpload(storage, upload, bytes, reading);
  await inTransaction(knex, async (trx) => {
    if (await holdReceived(trx, upload.id)) await settleReading(trx, upload.id, reading, parts);
  });
}

async function readBytes(
  { knex, storage: { store, buckets } }: IngestParts,
  { product, firmId, size }: Upload,
  bytes: Uint8Array | 'tooLarge' | 'gone',
): Promise<Reading> {
  if (bytes === 'gone') return unread('uploadGone');
  if (bytes === 'tooLarge') return unread('tooLarge', `${size} bytes, not ${maximumBytes}`);
  if (firmId === null) return unread('unknownFirm');
  return readIntake(
    { knex, store, bucket: buckets.files },
    { product, bytes, customers: { firmId } },
  );
}
