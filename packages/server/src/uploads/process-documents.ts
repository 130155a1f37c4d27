import type { Knex } from 'knex';
import type { ObjectStore } from '../../storage/object-store.js';
import { readCodaDocuments } from './coda-documents.js';
import { readCodbDocuments } from './codb-documents.js';
import { isListed } from './listed-files.js';
import { type NewFile, toNewFile } from './new-file.js';
import type { Customership } from './recipient.js';
import { finding, type UploadFinding } from './upload-finding.js';
import { formats, type Product } from './uploaded-document.js';

/** What an upload holds: files whose objects are stored, and what was found. */
export interface Reading {
  readonly files: readonly NewFile[];
  readonly findings: readonly UploadFinding[];
  readonly omittedFindings: number;
}

/** An upload whose bytes are here. */
export interface Intake {
  readonly product: Product;
  readonly bytes: Uint8Array;
  readonly customers: Customership;
}

export interface ReadingParts {
  readonly knex: Knex;
  readonly store: ObjectStore;
  /** The bucket of files that are listed. */
  readonly bucket: string;
}

/** Largest upload that is read, in bytes. */
export const maximumBytes = 25 * 2 ** 20;

/** An upload of which nothing was read. */
export function unread(code: Parameters<typeof finding>[0], seen?: string | number): Reading {
  return { files: [], findings: [finding(code, seen)], omittedFindings: 0 };
}

/** Whether something of the upload is not listed. */
export function isRejected({ findings }: Reading): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/**
 * Reads an upload and stores the objects of every file it holds for a customer. Doing it again
 * stores the same objects.
 */
export async function readIntake(
  { knex, store, bucket }: ReadingParts,
  { product, bytes, customers }: Intake,
): Promise<Reading> {
  const files: NewFile[] = [];
  const findings: UploadFinding[] = [];
  let omittedFindings = 0;
  const parts = product === 'CODA' ? readCodaDocuments(bytes) : readCodbDocuments(bytes);
  for await (const part of parts) {
    findings.push(...part.findings);
    omittedFindings += part.omittedFindings;
    const { document } = part;
    if (document === undefined) continue;
    const recipient = await document.findRecipient(knex, customers);
    if (recipient === undefined) {
      findings.push(document.unmatched);
      continue;
    }
    const file = toNewFile(document, recipient);
    files.push(file);
    // What partners may be downloading is left as it is.
    if (await isListed(knex, file)) continue;
    await store.put(bucket, file.objectKey, document.bytes, formats[product].contentType);
    await store.put(bucket, file.pdfKey, await document.print(recipient), 'application/pdf');
  }
  return { files, findings, omittedFindings };
}
