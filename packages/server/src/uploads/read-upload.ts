import { inTransaction } from '../db/transaction.js';
import { enqueue } from '../jobs/job.js';
import { keptFindingsOf } from './documents/finding.js';
import {
  type FileReading,
  maximumBytes,
  readDocuments,
  unread,
} from './documents/read-documents.js';
import { processDocuments, type UploadParts } from './process-documents.js';
import type { Access } from './recipients.js';
import { hasErrors, recordDecisions, refusalsOf, settlementOf } from './record-outcomes.js';
import { readingJob } from './scan-uploads.js';
import {
  fetchUpload,
  keepRejected,
  removeRejected,
  removeUpload,
  staysInPlace,
  type UploadContent,
} from './upload-objects.js';
import {
  findUpload,
  lockReceived,
  reopenUpload,
  settleUpload,
  type Upload,
} from './upload-store.js';

/** A worker takes a retried upload over if this process has not finished it after so many ms. */
const RETRY_PATIENCE_MS = 60_000;

/**
 * Reads an upload, lists its documents, and removes it from its bucket.
 *
 * A process that is killed at any point loses nothing and lists nothing twice, and neither do two
 * that read the same upload at once: the objects of the documents are stored first, and removed
 * later if they are not recorded; then one transaction, of which only one can commit, lists them all;
 * then the upload is removed, by a later scan if need be.
 */
export async function readUpload(parts: UploadParts, uploadId: string): Promise<void> {
  const { knex, storage } = parts;
  const upload = await findUpload(knex, uploadId);
  if (upload === undefined) return;
  if (upload.status === 'received') await settle(parts, upload);
  const settled = await findUpload(knex, uploadId);
  if (settled === undefined || settled.status === 'received') return;
  if (staysInPlace(settled)) return;
  await removeUpload(storage.store, settled);
  if (settled.status === 'processed') await removeRejected(storage, settled);
}

/** Reads a rejected upload, or one that workers gave up on, again and at once. */
export async function retryUpload(parts: UploadParts, uploadId: string): Promise<void> {
  const runAt = new Date(Date.now() + RETRY_PATIENCE_MS);
  await inTransaction(parts.knex, async (trx) => {
    await reopenUpload(trx, uploadId);
    await enqueue(trx, { ...readingJob(uploadId), runAt });
  });
  await readUpload(parts, uploadId);
}

async function settle(parts: UploadParts, upload: Upload): Promise<void> {
  const { storage, consents, now } = parts;
  const content = await fetchUpload(storage, upload);
  const reading = await readContent(upload, content);
  const { principal } = upload;
  const access: Access = principal ? { kind: 'grant', principal } : { kind: 'none' };
  await processDocuments(parts, reading.documents, access, {
    async store(decisions) {
      const findings = [...reading.findings, ...refusalsOf(decisions)];
      if (hasErrors(findings)) {
        const kept = keptFindingsOf(findings, reading.omittedFindings);
        await keepRejected(storage, upload, content, kept);
      }
    },
    async record(trx, decisions) {
      if (!(await lockReceived(trx, upload.id))) return;
      const options = { uploadId: upload.id, access, now: now() };
      const recorded = await recordDecisions(trx, consents, decisions, options);
      await settleUpload(trx, upload.id, settlementOf(reading, recorded, options.now));
    },
  });
}

async function readContent(upload: Upload, content: UploadContent): Promise<FileReading> {
  if (content === 'gone') return unread('uploadGone');
  if (content === 'tooLarge') {
    return unread('tooLarge', `${upload.size} bytes, not ${maximumBytes}`);
  }
  if (upload.principal === null) return unread('unknownGrant');
  return readDocuments(upload.product, content);
}
