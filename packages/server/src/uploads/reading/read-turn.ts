import type { Logger } from 'pino';
import { inTransaction } from '../../db/transaction.js';
import { enqueue } from '../../jobs/job.js';
import { inLaterSpan, outsideTraces, readTrace } from '../../tracing/spans.js';
import { maximumBytes } from '../documents/read-documents.js';
import type { UploadDependencies } from '../process-documents.js';
import { findUploads, type Upload } from '../upload-store.js';
import {
  beginAttempts,
  continueLater,
  type DueUpload,
  findDue,
  readUploadsJob,
  recordFailure,
} from './due-uploads.js';
import { readUpload } from './read-upload.js';

/** How long a turn begins further uploads, and how long it reads one upload, in ms. */
const TURN_MS = 1_500;

/** The pause of a firm whose large uploads have to wait for that of another firm, in ms. */
const LARGE_PAUSE_MS = 500;

/** How long a firm that waits for a large upload keeps its place in line without coming back, in ms. */
const LINE_MS = 10 * LARGE_PAUSE_MS;

/** The number of uploads that a turn reads at once, so that their requests to the storage overlap. */
export const BATCH_UPLOADS = 8;

/**
 * The number of bytes that a turn reads at once. A process reads one larger upload at a time, which
 * bounds its memory (D-38).
 */
const BATCH_BYTES = 4 * 2 ** 20;

/**
 * Creates the reader of due uploads. Firms take turns: a turn reads some uploads of one firm, or a part
 * of a long one, and then waits behind the firms that are waiting already (D-38).
 */
export function createUploadReader(
  dependencies: UploadDependencies & {
    readonly logger: Logger;
    readonly turnMs?: number;
    /** Called for each upload that has got its outcome or was given up. */
    readonly onUpload?: (upload: { readonly product: string; readonly outcome: string }) => void;
  },
) {
  const { knex, logger, turnMs = TURN_MS, onUpload } = dependencies;
  const large = createLargeLine();

  /** The codes of the findings, without their texts, which contain what was in the file. */
  function logOutcome({ id, principal, product, status, size, progress }: Upload): void {
    const findings = [...new Set(progress.findings.map(({ code }) => code))];
    const facts = { upload: id, firmId: principal?.firmId, product, status, bytes: size, findings };
    logger.info(facts, 'an upload was read');
    onUpload?.({ product, outcome: status });
  }

  /** Reads an upload in a span of the call for its credentials. */
  function read(upload: Upload): Promise<void> {
    const { carried, afterMs } = upload.trace;
    const attributes = { 'adx.upload_id': upload.id, 'adx.product': upload.product };
    const later = { name: 'readUpload', attributes, from: readTrace(carried), afterMs };
    return inLaterSpan(later, (fail) => readOrRecord(upload, fail));
  }

  async function readOrRecord(upload: Upload, fail: (error: unknown) => void): Promise<void> {
    const { id } = upload;
    try {
      const state = await readUpload({ ...dependencies, onSettled: logOutcome }, upload, turnMs);
      if (state === 'unfinished') await continueLater(knex, id);
    } catch (error) {
      fail(error);
      // Only logged, so that the other uploads of the firm are read.
      const isLast = await recordFailure(knex, id, error);
      const facts = { upload: id, firmId: upload.principal?.firmId, err: error };
      if (isLast) onUpload?.({ product: upload.product, outcome: 'failed' });
      if (isLast) logger.error(facts, 'an upload failed for the last time');
      else logger.warn(facts, 'an upload failed, will be retried');
    }
  }

  async function readBatch(batch: readonly DueUpload[]): Promise<void> {
    const ids = await beginAttempts(
      knex,
      batch.map(({ id }) => id),
    );
    const results = await Promise.allSettled((await findUploads(knex, ids)).map(read));
    // If the database fails, the turn fails after all its uploads, so that none is read beyond its end.
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  const enqueueTurn = (firmId: string | null, afterMs: number): Promise<void> =>
    outsideTraces(() =>
      inTransaction(knex, (trx) => enqueue(trx, { ...readUploadsJob(firmId), afterMs })),
    );

  return {
    /**
     * Reads the due uploads of a firm for one turn, and enqueues its next turn if some may be left.
     *
     * @param firmId - null for the objects that no grant covers
     */
    async readTurn(firmId: string | null): Promise<void> {
      const end = performance.now() + turnMs;
      do {
        const due = await findDue(knex, firmId, BATCH_UPLOADS);
        if (due.length === 0) return;
        const mayReadLarge = !due.some(isLarge) || large.isTurnOf(firmId);
        const batch = batchOf(mayReadLarge ? due : due.filter((each) => !isLarge(each)));
        const [first] = batch;
        // A turn that waited for the large upload of another firm would occupy a place in the pool.
        if (first === undefined) return enqueueTurn(firmId, LARGE_PAUSE_MS);
        if (isLarge(first)) await large.read(firmId, () => readBatch(batch));
        else await readBatch(batch);
      } while (performance.now() < end);
      await enqueueTurn(firmId, 0);
    },
  };
}

/**
 * Creates the line of the firms that wait to read a large upload in this process. Without it, a firm
 * with many of them would begin the next one before another firm comes back from its pause.
 */
function createLargeLine() {
  let isReading = false;
  /** When each waiting firm last asked, in the order in which they came. */
  const waiting = new Map<string | null, number>();
  return {
    /** Returns true if the firm may read one now. Otherwise it has a place in line. */
    isTurnOf(firmId: string | null): boolean {
      const now = performance.now();
      // A firm that another process reads does not come back.
      for (const [each, askedAt] of waiting) if (askedAt < now - LINE_MS) waiting.delete(each);
      const [next = firmId] = waiting.keys();
      if (!isReading && next === firmId) return true;
      waiting.set(firmId, now);
      return false;
    },

    async read(firmId: string | null, work: () => Promise<void>): Promise<void> {
      isReading = true;
      waiting.delete(firmId);
      try {
        await work();
      } finally {
        isReading = false;
      }
    },
  };
}

/** Returns true for an upload that takes much memory. One beyond the limit is not read. */
function isLarge({ size }: DueUpload): boolean {
  return size > BATCH_BYTES && size <= maximumBytes;
}

/**
 * Returns the first uploads that can be read at once. One that was tried before is read alone, so that a
 * file that kills the process does not use up the attempts of others.
 */
function batchOf(due: readonly DueUpload[]): readonly DueUpload[] {
  const [first, ...others] = due;
  if (first === undefined) return [];
  if (first.attempts > 0) return [first];
  const batch = [first];
  let bytes = first.size;
  for (const upload of others) {
    bytes += upload.size;
    if (bytes > BATCH_BYTES) break;
    if (upload.attempts === 0) batch.push(upload);
  }
  return batch;
}
