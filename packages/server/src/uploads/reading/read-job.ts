import type { Logger } from 'pino';
import { z } from 'zod';
import { inTransaction } from '../../db/transaction.js';
import { enqueue, type Job, type Task } from '../../jobs/job.js';
import { inLaterSpan, outsideTraces, readTrace } from '../../tracing/spans.js';
import { maximumBytes } from '../documents/read-documents.js';
import { findUpload, giveUpUpload, reopenUpload, type Upload } from '../upload-store.js';
import { type ReadingDependencies, type ReadingState, readUpload } from './read-upload.js';

/** The time for which an upload is read before others have their turn, in ms. */
const TURN_MS = 1_500;

/** The size from which uploads are read one at a time, in bytes, which bounds the memory (D-38). */
const LARGE = 4 * 2 ** 20;

/** The time that workers leave an upload to an operator who retries it, in ms. */
const RETRY_MS = 60_000;

const payloadKey = z
  .strictObject({ uploadId: z.string(), firmId: z.string() })
  .transform(({ uploadId: id, firmId }) => ({ id, firmId }));

/**
 * Creates the job that reads an upload, or removes one with an outcome from its bucket.
 *
 * @param place - the number of uploads of the same firm that wait before this one
 */
export function readUploadJob(
  { id, firmId, size }: Pick<Upload, 'id' | 'firmId' | 'size'>,
  place?: number,
): Job {
  return {
    task: 'readUpload',
    payload: { uploadId: id, firmId },
    key: `readUpload:${id}`,
    firmId: firmId === '' ? null : firmId,
    ...(place !== undefined && { place }),
    // One beyond the limit is not read.
    ...(size > LARGE && size <= maximumBytes && { limit: 'alone' }),
  };
}

/**
 * Creates the task of reading. A long upload is read in several jobs, each of which has the place
 * behind the one before, so that others come in between (D-38).
 */
export function createReadTask(
  dependencies: ReadingDependencies & {
    readonly logger: Logger;
    readonly turnMs?: number;
    readonly onUpload?: (upload: { readonly product: string; readonly outcome: string }) => void;
  },
): Task {
  const { knex, logger, turnMs = TURN_MS, onUpload } = dependencies;

  /** Logs the codes of findings without their texts, which contain what was in the file. */
  function onSettled({ id, principal, product, status, size, progress }: Upload): void {
    const findings = [...new Set(progress.findings.map(({ code }) => code))];
    const facts = { upload: id, firmId: principal?.firmId, product, status, bytes: size, findings };
    logger.info(facts, 'an upload was read');
    onUpload?.({ product, outcome: status });
  }

  async function read(upload: Upload, place: number): Promise<void> {
    const { carried, afterMs } = upload.trace;
    const attributes = { 'adx.upload_id': upload.id, 'adx.product': upload.product };
    const later = { name: 'readUpload', attributes, from: readTrace(carried), afterMs };
    const state = await inLaterSpan(later, () =>
      readUpload({ ...dependencies, onSettled }, upload, turnMs),
    );
    if (state === 'settled') return;
    const next = readUploadJob(upload, place + 1);
    // Another process that has recorded a step may end before the last one.
    const pauseMs = state === 'overtaken' ? RETRY_MS : 0;
    await outsideTraces(() => enqueue(knex, { ...next, afterMs: pauseMs }));
  }

  return {
    isRoutine: true,
    async run(payload, { place }) {
      const { id, firmId } = payloadKey.parse(payload);
      const upload = await findUpload(knex, id, firmId);
      if (upload === undefined || upload.status === 'failed') return;
      // A scan enqueues it again once its firm is enabled (D-60).
      if (upload.status === 'received' && upload.isFirmDisabled) return;
      await read(upload, place);
    },
    async giveUp(payload, reason) {
      const product = await giveUpUpload(knex, payloadKey.parse(payload), reason);
      if (product !== undefined) onUpload?.({ product, outcome: 'failed' });
    },
  };
}

/**
 * Reads a rejected upload again, or one that workers have given up. If the process ends meanwhile,
 * a worker goes on.
 */
export async function retryUpload(
  dependencies: ReadingDependencies,
  uploadId: string,
): Promise<void> {
  const { knex } = dependencies;
  await inTransaction(knex, async (trx) => {
    await reopenUpload(trx, uploadId);
    const upload = await findUpload(trx, uploadId);
    if (upload?.status === 'received') {
      await enqueue(trx, { ...readUploadJob(upload), afterMs: RETRY_MS });
    }
  });
  let state: ReadingState = 'unfinished';
  while (state !== 'settled') {
    const upload = await findUpload(knex, uploadId);
    if (upload === undefined) return;
    state = await readUpload(dependencies, upload);
  }
}
