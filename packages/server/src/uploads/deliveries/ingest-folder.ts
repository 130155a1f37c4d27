import { hash } from 'node:crypto';
import { explainFileError } from '@adx/command/file-error';
import type { Product } from '@adx/contract';
import { looksLikeCoda } from '@adx/statements';
import { products } from '../../files/document.js';
import { finding, storableText, type UploadFinding } from '../documents/finding.js';
import { type ParsedFile, unreadableFile } from '../documents/read-documents.js';
import { processDocuments, type UploadDependencies } from '../process-documents.js';
import { recordFile } from '../record-outcomes.js';
import { type DeliveredFile, recordDelivery } from '../record-uploads.js';
import { type DeliveryFolder, moveToDone, readDelivered } from './delivery-folder.js';
import { readDelivery, type Sender } from './sender.js';

export interface FileOutcome {
  readonly name: string;
  /** Undefined if the file is neither CODA nor CODB, or was not read. */
  readonly product?: Product;
  /** True if all documents are listed or held and the file was moved to `done/`. */
  readonly isDone: boolean;
  readonly listed: number;
  readonly repeated: number;
  /** Documents that wait for a signed mandate (D-28). */
  readonly held: number;
  readonly findings: readonly UploadFinding[];
}

/**
 * Ingests a file. The documents that the sender may deliver (D-66) are listed if a signed mandate
 * covers them, and held otherwise (D-28). If all were, the file is moved to `done/`. If that is
 * interrupted, the file can be ingested again.
 */
export async function ingestFile(
  dependencies: UploadDependencies,
  sender: Sender,
  folder: DeliveryFolder,
  fileName: Buffer,
): Promise<FileOutcome> {
  const name = fileName.toString();
  const content = await readDelivered(folder, fileName);
  if ('findings' in content) return notIngested(name, content);
  const { bytes, stats } = content;
  const product = productOf(bytes);
  if (product === undefined) return notIngested(name, unreadableFile('unknownFormat'));
  // Two senders may deliver the same file, each with documents that the other may not deliver.
  const etag = hash('sha256', Buffer.concat([Buffer.from(`${sender.code}\n`), bytes]), 'hex');
  const file = {
    ...{ product, sender, key: storableText(name), etag },
    ...{ size: bytes.length, receivedOn: stats.mtime },
  };
  const { status, findings, listed, repeated, held } = await deliver(dependencies, file, bytes);
  const outcome = { name, product, isDone: false, listed, repeated, held, findings };
  if (status !== 'processed') return outcome;
  const reason = await moveToDone(folder, fileName, { stats, mark: etag.slice(0, 8) }).then(
    (isMoved) => (isMoved ? undefined : 'another file took its place'),
    (error: unknown) => explainFileError(error) ?? String(error),
  );
  if (reason === undefined) return { ...outcome, isDone: true };
  return { ...outcome, findings: [...findings, finding('notMoved', reason)] };
}

async function deliver(
  dependencies: UploadDependencies,
  delivered: DeliveredFile,
  bytes: Uint8Array,
): ReturnType<typeof recordFile> {
  const { now } = dependencies;
  const { sender, product } = delivered;
  const access = { kind: 'delivery', sender } as const;
  const file = await readDelivery(sender, product, bytes);
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
  return products.find((product) => looksLike[product](bytes));
}

const looksLike: Readonly<Record<Product, (bytes: Uint8Array) => boolean>> = {
  CODA: looksLikeCoda,
  CODB(bytes) {
    const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1').replaceAll('\0', '');
    return /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*</.test(start);
  },
};
