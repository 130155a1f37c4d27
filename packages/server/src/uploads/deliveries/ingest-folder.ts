import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { looksLikeCoda } from '@adx/statements';
import { explainFileError } from '../../explain-file-error.js';
import type { Product } from '../documents/document.js';
import { finding, storableText, type UploadFinding } from '../documents/finding.js';
import {
  maximumBytes,
  type ParsedFile,
  readDocuments,
  unreadableFile,
} from '../documents/read-documents.js';
import { processDocuments, type UploadDependencies } from '../process-documents.js';
import { recordFile } from '../record-outcomes.js';
import { type DeliveredFile, recordDelivery } from '../upload-store.js';

/** The outcome of a file of the folder. */
export interface FileOutcome {
  readonly name: string;
  /** Undefined if the file is neither CODA nor CODB, or was not read. */
  readonly product?: Product;
  /** True if all documents are listed or held and the file was moved to `done/`. */
  readonly isDone: boolean;
  readonly listed: number;
  /** Documents that were already listed. */
  readonly repeated: number;
  /** Documents that wait for a signed mandate (D-28). */
  readonly held: number;
  readonly findings: readonly UploadFinding[];
}

/** Returns the sorted names of the files to ingest from a folder. */
export async function filesToIngest(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

/**
 * Ingests a file that a bank or payroll provider delivered, for customers of all firms. Its documents
 * are listed if a signed mandate covers them, and held otherwise (D-28). Then the file is moved to
 * `done/`. If that is interrupted, the file can be ingested again.
 */
export async function ingestFile(
  dependencies: UploadDependencies,
  folder: string,
  name: string,
): Promise<FileOutcome> {
  const content = await readStable(join(folder, name)).catch((error: unknown) =>
    unreadableFile('inaccessible', explainFileError(error) ?? String(error)),
  );
  if ('findings' in content) return notIngested(name, content);
  const { bytes, receivedOn } = content;
  const product = productOf(bytes);
  if (product === undefined) return notIngested(name, unreadableFile('unknownFormat'));
  const etag = hash('sha256', bytes, 'hex');
  const file = { product, key: storableText(name), etag, size: bytes.length, receivedOn };
  const { status, findings, listed, repeated, held } = await deliver(dependencies, file, bytes);
  const outcome = { name, product, isDone: false, listed, repeated, held, findings };
  if (status !== 'processed') return outcome;
  try {
    await moveToDone(folder, name, etag);
    return { ...outcome, isDone: true };
  } catch (error) {
    return {
      ...outcome,
      findings: [...findings, finding('notMoved', explainFileError(error) ?? String(error))],
    };
  }
}

/** Reads a file, unless it is too large or another process is writing to it. */
async function readStable(
  path: string,
): Promise<{ readonly bytes: Uint8Array; readonly receivedOn: Date } | ParsedFile> {
  const { size, mtime, mtimeMs } = await stat(path);
  if (size > maximumBytes) return unreadableFile('tooLarge', `${size} bytes`);
  const bytes = await readFile(path);
  const after = await stat(path);
  const isStable = bytes.length === size && after.mtimeMs === mtimeMs;
  return isStable ? { bytes, receivedOn: mtime } : unreadableFile('stillWritten');
}

async function deliver(
  dependencies: UploadDependencies,
  delivered: DeliveredFile,
  bytes: Uint8Array,
): ReturnType<typeof recordFile> {
  const { now } = dependencies;
  const access = { kind: 'delivery' } as const;
  const file = await readDocuments(delivered.product, bytes);
  return processDocuments(dependencies, file.documents, access, {
    async record(trx, outcomes) {
      const uploadId = await recordDelivery(trx, delivered);
      return recordFile(trx, dependencies, file, outcomes, { uploadId, access, now: now() });
    },
  });
}

/** Returns the outcome of a file that stays in the folder and is not recorded. */
function notIngested(name: string, { findings }: ParsedFile): FileOutcome {
  return { name, isDone: false, listed: 0, repeated: 0, held: 0, findings };
}

/** Detects the product by the content, because each bank names its files differently. */
function productOf(bytes: Uint8Array): Product | undefined {
  if (looksLikeCoda(bytes)) return 'CODA';
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1').replaceAll('\0', '');
  return /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*</.test(start) ? 'CODB' : undefined;
}

async function moveToDone(folder: string, name: string, etag: string): Promise<void> {
  const done = join(folder, 'done');
  await mkdir(done, { recursive: true });
  const isTaken = await stat(join(done, name)).then(
    () => true,
    () => false,
  );
  const { name: stem, ext } = parse(name);
  // May replace an earlier file, but only one with the same name and content.
  const target = isTaken ? `${stem}.${etag.slice(0, 8)}${ext}` : name;
  await rename(join(folder, name), join(done, target));
}
