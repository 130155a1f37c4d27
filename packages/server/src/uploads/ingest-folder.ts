import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { looksLikeCoda } from '@adx/statements';
import { inTransaction } from '../../db/transaction.js';
import { broughtIn } from './brought-in.js';
import type { IngestParts } from './read-upload.js';
import { maximumBytes, type Reading, readIntake, unread } from './reading.js';
import { type Outcome, settleReading } from './settle-reading.js';
import { keptFindingsOf, storableText, type UploadFinding } from './upload-finding.js';
import { type BroughtFile, noteBroughtFile } from './upload-store.js';
import type { Product } from './uploaded-document.js';

/** What became of a file of the folder. */
export interface FolderFile {
  readonly name: string;
  /** Absent where the file is neither CODA nor CODB, too large, or still being written. */
  readonly product?: Product;
  /** Whether all of it is listed, and it lies in `done/` now. */
  readonly isDone: boolean;
  readonly listed: number;
  readonly repeated: number;
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
 * Reads a file that a bank or payroll provider delivered to the operator, for customers of all
 * firms. Done as an upload is: objects, then one transaction, and last the file is moved to `done/`.
 */
export async function ingestFile(
  parts: IngestParts,
  folder: string,
  name: string,
): Promise<FolderFile> {
  const path = join(folder, name);
  const before = await stat(path);
  const { size, mtime: receivedOn } = before;
  if (size > maximumBytes) return left(name, unread('tooLarge', `${size} bytes`));
  const bytes = await readFile(path);
  const { mtimeMs } = await stat(path);
  if (bytes.length !== size || mtimeMs !== before.mtimeMs) {
    return left(name, unread('stillWritten'));
  }
  const product = productOf(bytes);
  if (product === undefined) return left(name, unread('unknownFormat'));
  const etag = createHash('sha256').update(bytes).digest('hex');
  const key = storableText(name);
  const file = { product, bucket: broughtIn, key, etag, size, receivedOn };
  const outcome = await list(parts, file, bytes);
  const isDone = outcome.status === 'processed';
  if (isDone) await moveToDone(folder, name, etag);
  const { listed, repeated, findings } = outcome;
  return { name, product, isDone, listed, repeated, findings };
}

async function list(parts: IngestParts, file: BroughtFile, bytes: Uint8Array): Promise<Outcome> {
  const { knex, storage } = parts;
  const { store, buckets } = storage;
  const reading = await readIntake(
    { knex, store, bucket: buckets.files },
    { product: file.product, bytes, customers: 'allFirms' },
  );
  return inTransaction(knex, async (trx) => {
    const uploadId = await noteBroughtFile(trx, file);
    return settleReading(trx, uploadId, reading, parts);
  });
}

/** A file that stays where it is, and of which nothing is recorded. */
function left(name: string, { findings }: Reading): FolderFile {
  return { name, isDone: false, listed: 0, repeated: 0, findings: keptFindingsOf(findings, 0) };
}

/** Banks give their files all sorts of names: what is in it tells. */
function productOf(bytes: Uint8Array): Product | undefined {
  if (looksLikeCoda(bytes)) return 'CODA';
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1').replaceAll('\0', '');
  return /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*</.test(start) ? 'CODB' : undefined;
}

async function moveToDone(folder: string, name: string, etag: string): Promise<void> {
  const done = join(folder, 'done');
  await mkdir(done, { recursive: true });
  const taken = await stat(join(done, name)).then(
    () => true,
    () => false,
  );
  const { name: stem, ext } = parse(name);
  // One of the same name and content may be replaced.
  const target = taken ? `${stem}.${etag.slice(0, 8)}${ext}` : name;
  await rename(join(folder, name), join(done, target));
}
