import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { looksLikeCoda } from '@adx/statements';
import type { Product } from '../documents/document.js';
import { finding, keptFindingsOf, storableText, type UploadFinding } from '../documents/finding.js';
import {
  type FileReading,
  maximumBytes,
  readDocuments,
  unread,
} from '../documents/read-documents.js';
import { processDocuments, type UploadParts } from '../process-documents.js';
import { type Recorded, recordDecisions, settlementOf } from '../record-outcomes.js';
import { noteDelivery, type Settlement, settleUpload } from '../upload-store.js';

/** The outcome of a file of the folder. */
export interface FolderFile {
  readonly name: string;
  /** Absent where the file is neither CODA nor CODB, or was not read. */
  readonly product?: Product;
  /** True if all its documents are listed or held and it was moved to `done/`. */
  readonly isDone: boolean;
  readonly listed: number;
  /** Documents that had been listed before. */
  readonly repeated: number;
  /** Documents that wait for a signed mandate (D-28). */
  readonly held: number;
  readonly findings: readonly UploadFinding[];
}

/** The names of the files of a folder that are to be read, in their order. */
export async function filesToIngest(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

/**
 * Reads a file that a bank or payroll provider delivered to the operator, for customers of all firms.
 * Its documents are listed under a signed mandate, and held otherwise (D-28). Then the file is moved
 * to `done/`; one that is interrupted before can be read again.
 */
export async function ingestFile(
  parts: UploadParts,
  folder: string,
  name: string,
): Promise<FolderFile> {
  const content = await readStable(join(folder, name)).catch(toUnread);
  if ('findings' in content) return notRead(name, content);
  const { bytes, receivedOn } = content;
  const product = productOf(bytes);
  if (product === undefined) return notRead(name, unread('unknownFormat'));
  const etag = createHash('sha256').update(bytes).digest('hex');
  const file = { product, key: storableText(name), etag, size: bytes.length, receivedOn };
  const { status, findings, listed, repeated, held } = await deliver(parts, file, bytes);
  const outcome = { name, product, listed, repeated, held };
  if (status !== 'processed') return { ...outcome, isDone: false, findings };
  const failure = await moveToDone(folder, name, etag).catch((error: unknown) => error);
  if (failure === undefined) return { ...outcome, isDone: true, findings };
  return {
    ...outcome,
    isDone: false,
    findings: [...findings, finding('notMoved', String(failure))],
  };
}

/** Reads a file that nobody is writing to. */
async function readStable(
  path: string,
): Promise<{ readonly bytes: Uint8Array; readonly receivedOn: Date } | FileReading> {
  const { size, mtime, mtimeMs } = await stat(path);
  if (size > maximumBytes) return unread('tooLarge', `${size} bytes`);
  const bytes = await readFile(path);
  const after = await stat(path);
  const isStable = bytes.length === size && after.mtimeMs === mtimeMs;
  return isStable ? { bytes, receivedOn: mtime } : unread('stillWritten');
}

/** A file that is gone or protected does not keep the others from being read. */
function toUnread(error: unknown): FileReading {
  return unread('inaccessible', String(error));
}

async function deliver(
  parts: UploadParts,
  file: Parameters<typeof noteDelivery>[1],
  bytes: Uint8Array,
): Promise<Recorded & Settlement> {
  const { consents, now } = parts;
  const access = { kind: 'delivery' } as const;
  const reading = await readDocuments(file.product, bytes);
  return processDocuments(parts, reading.documents, access, {
    async record(trx, decisions) {
      const uploadId = await noteDelivery(trx, file);
      const options = { uploadId, access, now: now() };
      const recorded = await recordDecisions(trx, consents, decisions, options);
      const settlement = settlementOf(reading, recorded, options.now);
      await settleUpload(trx, uploadId, settlement);
      return { ...recorded, ...settlement };
    },
  });
}

/** A file that stays where it is, and of which nothing is recorded. */
function notRead(name: string, { findings }: FileReading): FolderFile {
  const kept = keptFindingsOf(findings, 0);
  return { name, isDone: false, listed: 0, repeated: 0, held: 0, findings: kept };
}

/** Banks name their files as they like, so the content tells the product. */
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
  // A file of the same name and content may be replaced.
  const target = isTaken ? `${stem}.${etag.slice(0, 8)}${ext}` : name;
  await rename(join(folder, name), join(done, target));
}
