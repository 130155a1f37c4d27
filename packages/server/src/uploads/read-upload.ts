import { inTransaction } from '../db/transaction.js';
import { enqueue } from '../jobs/job.js';
import { limitFindings } from './documents/finding.js';
import { type ParsedFile, readDocuments, unreadableFile } from './documents/read-documents.js';
import { processDocuments, type UploadDependencies } from './process-documents.js';
import type { Access } from './recipients.js';
import { hasErrors, recordFile, refusalsOf } from './record-outcomes.js';
import { readUploadJob } from './scan-uploads.js';
import {
  fetchUpload,
  isTooLargeToCopy,
  keepRejected,
  removeRejected,
  removeUpload,
  type UploadContent,
} from './upload-objects.js';
import { findUpload, lockReceived, reopenUpload, type Upload } from './upload-store.js';

/** How long this process has to finish a retried upload before a worker reads it too, in ms. */
const RETRY_JOB_DELAY_MS = 60_000;

/**
 * Reads an upload, lists its documents, and removes it from its bucket.
 *
 * Nothing is lost or listed twice if the process is killed at any point, or if two processes read the
 * same upload at once. The objects of the documents are stored first, and removed later if they are
 * not recorded. Then one transaction, which only one process can commit, records all outcomes. Then
 * the upload is removed; if that fails, a later scan enqueues it again.
 */
export async function readUpload(
  dependencies: UploadDependencies,
  uploadId: string,
): Promise<void> {
  const { knex, storage } = dependencies;
  const upload = await findUpload(knex, uploadId);
  if (upload?.status === 'received') await processUpload(dependencies, upload);
  const current = await findUpload(knex, uploadId);
  if (current === undefined || current.status === 'received' || isTooLargeToCopy(current)) return;
  await removeUpload(storage.store, current);
  if (current.status === 'processed') await removeRejected(storage, current);
}

/** Immediately re-reads a rejected upload, or one whose job has failed. */
export async function retryUpload(
  dependencies: UploadDependencies,
  uploadId: string,
): Promise<void> {
  const runAt = new Date(Date.now() + RETRY_JOB_DELAY_MS);
  await inTransaction(dependencies.knex, async (trx) => {
    await reopenUpload(trx, uploadId);
    await enqueue(trx, { ...readUploadJob(uploadId), runAt });
  });
  await readUpload(dependencies, uploadId);
}

async function processUpload(dependencies: UploadDependencies, upload: Upload): Promise<void> {
  const { storage, consents, now } = dependencies;
  const content = await fetchUpload(storage, upload);
  const file = await parseUpload(upload, content);
  const { principal } = upload;
  const access: Access = principal ? { kind: 'grant', principal } : { kind: 'none' };
  await processDocuments(dependencies, file.documents, access, {
    async store(outcomes) {
      const findings = [...file.findings, ...refusalsOf(outcomes)];
      if (!hasErrors(findings)) return;
      await keepRejected(storage, upload, content, limitFindings(findings, file.omittedFindings));
    },
    async record(trx, outcomes) {
      if (!(await lockReceived(trx, upload.id))) return;
      const options = { uploadId: upload.id, access, now: now() };
      await recordFile(trx, consents, file, outcomes, options);
    },
  });
}

/** Reads the documents of an upload. Refuses it unread if it is gone, too large or belongs to no grant (D-27, D-31). */
async function parseUpload(upload: Upload, content: UploadContent): Promise<ParsedFile> {
  if (content === 'gone') return unreadableFile('uploadGone');
  if (content === 'tooLarge') return unreadableFile('tooLarge', `${upload.size} bytes`);
  if (upload.principal === null) return unreadableFile('unknownGrant');
  return readDocuments(upload.product, content);
}
