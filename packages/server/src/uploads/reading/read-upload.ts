import { hasUnprintable } from '@adx/command/unprintable';
import { inTransaction } from '../../db/transaction.js';
import {
  enqueueUnprinted,
  isPrintedByReader,
  type ListedFile,
} from '../../files/enqueue-printing.js';
import type { FilePrinter } from '../../files/print-files.js';
import {
  addFindings,
  type KeptFindings,
  type ParsedDocument,
  type UploadFinding,
} from '../documents/finding.js';
import {
  fileOf,
  type ParsedFile,
  parseDocuments,
  unreadableFile,
} from '../documents/read-documents.js';
import { processDocuments, type UploadDependencies } from '../process-documents.js';
import type { Access } from '../recipients.js';
import { hasErrors, outcomeOf, recordOutcomes, refusalsOf } from '../record-outcomes.js';
import {
  discard,
  isTooLargeToCopy,
  keepRejected,
  openUpload,
  removeRejected,
  removeUpload,
  type UploadContent,
} from '../upload-objects.js';
import {
  lockCheckpoint,
  markCopied,
  recordProgress,
  recordUploadOutcome,
  type Upload,
  type UploadProgress,
} from '../upload-store.js';

/** The state of an upload; `overtaken`: another process has recorded a step meanwhile. */
export type ReadingState = 'settled' | 'unfinished' | 'overtaken';

/** The parts that reading needs. Without a printer, jobs print what is listed. */
export type ReadingDependencies = UploadDependencies & {
  readonly printer?: Pick<FilePrinter, 'printListed'>;
};

type SettlingDependencies = ReadingDependencies & { onSettled?(upload: Upload): void };

/**
 * Reads an upload in steps, and lists its documents. Nothing is lost or listed twice if the process
 * is killed at any point, or if two processes read the same upload at once. The objects of a step
 * are stored first, and removed later if they are not recorded. Then one transaction, which only
 * one process can commit, records its outcomes and the checkpoint after it. After the last step the
 * upload is removed; if that fails, a later scan finds it.
 *
 * The next call parses the file again and skips the results before the checkpoint: parsing takes
 * far less time than recording, and so no state of the parser has to be stored (D-38).
 *
 * @param durationMs - how long to read, counted from the first unread result; at least one step is
 *   read
 * @param dependencies.onSettled - called with the upload when it has got its outcome
 */
export async function readUpload(
  dependencies: SettlingDependencies,
  upload: Upload,
  durationMs = Number.POSITIVE_INFINITY,
): Promise<ReadingState> {
  if (upload.status === 'failed') return 'settled';
  if (upload.status === 'received') {
    const content = await openUpload(dependencies.storage, upload);
    const state = await readSteps(dependencies, upload, content, durationMs);
    if (state !== 'settled') return state;
  } else await inTransaction(dependencies.knex, (trx) => enqueueUnprinted(trx, upload));
  if (!isTooLargeToCopy(upload)) await removeUpload(dependencies.storage.store, upload);
  return 'settled';
}

/** Prints the files of a small upload at once, because their content is at hand. */
async function readSteps(
  dependencies: SettlingDependencies,
  upload: Upload,
  content: UploadContent,
  durationMs: number,
): Promise<ReadingState> {
  let { progress } = upload;
  let end: number | undefined;
  for await (const step of stepsOf(parseUpload(upload, content))) {
    end ??= performance.now() + durationMs;
    const recorded = await recordStep(dependencies, { ...upload, progress }, content, step);
    if (recorded === undefined) return 'overtaken';
    if (!step.isLast && performance.now() >= end) return 'unfinished';
    ({ progress } = recorded);
    if (!step.isLast) continue;
    const status = hasErrors(progress) ? 'rejected' : 'processed';
    dependencies.onSettled?.({ ...upload, progress, status });
    await dependencies.printer?.printListed(recorded.toPrint);
  }
  return 'settled';
}

/** Reads documents after the checkpoint, and refuses some uploads unread (D-27, D-31). */
async function* parseUpload(
  { product, key, size, principal, progress }: Upload,
  content: UploadContent,
): AsyncGenerator<ParsedDocument> {
  if (content === 'gone') yield unreadableFile('uploadGone');
  else if (content === 'tooLarge') yield unreadableFile('tooLarge', `${size} bytes`);
  else if (content === 'unreadable')
    yield unreadableFile('inaccessible', 'it is encrypted or archived');
  else if (principal === null) {
    await discard(content.bytes);
    yield unreadableFile('unknownGrant');
  } else if (hasUnprintable(key)) {
    await discard(content.bytes);
    yield unreadableFile('unprintableName');
  } else {
    const part = { size, skip: progress.checkpoint };
    yield* parseDocuments(product, content.bytes, part);
  }
}

/** A part of a file whose outcomes are recorded in one transaction. */
interface UploadStep extends ParsedFile {
  /** The number of results of the parser, by which the checkpoint advances. */
  readonly results: number;
  /** True for the end of the file. It may have no results. */
  readonly isLast: boolean;
}

/** A step ends after so many results of the parser, or with the one that reaches so many bytes. */
const stepResults = 50;
const stepBytes = 2 ** 20;

async function* stepsOf(results: AsyncIterable<ParsedDocument>): AsyncGenerator<UploadStep> {
  let parsed: ParsedDocument[] = [];
  let bytes = 0;
  for await (const result of results) {
    parsed.push(result);
    bytes += result.document?.bytes.length ?? 0;
    if (parsed.length < stepResults && bytes < stepBytes) continue;
    yield { ...fileOf(parsed), results: parsed.length, isLast: false };
    parsed = [];
    bytes = 0;
  }
  yield { ...fileOf(parsed), results: parsed.length, isLast: true };
}

interface RecordedStep {
  readonly progress: UploadProgress;
  readonly toPrint: ReadonlyMap<string, ListedFile>;
}

/** Records a step. Returns undefined if another process has recorded one meanwhile. */
async function recordStep(
  dependencies: ReadingDependencies,
  upload: Upload,
  content: UploadContent,
  step: UploadStep,
): Promise<RecordedStep | undefined> {
  const { knex, storage, printer, now } = dependencies;
  const { id, principal, progress } = upload;
  const isWhole = step.isLast && progress.checkpoint === 0;
  const printsItself = printer !== undefined && isWhole && isPrintedByReader(step.documents);
  const access: Access = principal ? { kind: 'grant', principal } : { kind: 'none' };
  const add = (findings: readonly UploadFinding[]): KeptFindings =>
    addFindings(progress, [...step.findings, ...findings], step.omittedFindings);
  return processDocuments(dependencies, step.documents, access, {
    async store(outcomes) {
      const found = add(refusalsOf(outcomes));
      if (!step.isLast || !hasErrors(found)) return;
      if (await markCopied(knex, upload)) await keepRejected(storage, upload, content, found);
    },
    async record(trx, outcomes) {
      if (!(await lockCheckpoint(trx, upload, progress.checkpoint))) return undefined;
      const options = { uploadId: id, access, now: now(), printsItself };
      const { files, findings } = await recordOutcomes(trx, dependencies, outcomes, options);
      const after = { checkpoint: progress.checkpoint + step.results, ...add(findings) };
      if (!step.isLast) await recordProgress(trx, upload, after);
      else {
        const hasCopy = await recordUploadOutcome(trx, upload, outcomeOf(after, options.now));
        if (hasCopy) await removeRejected(trx, upload, options.now);
      }
      return { progress: after, toPrint: printsItself ? files : new Map() };
    },
  });
}
