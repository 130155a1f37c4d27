import type { ByteSource } from '@adx/statements';
import { readCodaDocuments } from './coda-documents.js';
import { readCodbDocuments } from './codb-documents.js';
import type { Document, ParsedDocument, Product } from './document.js';
import { type FindingCode, finding, type UploadFinding } from './finding.js';

/** The size of the largest file that is read, in bytes. */
export const maximumBytes = 25 * 2 ** 20;

/** The documents of a file and the findings on it. */
export interface ParsedFile {
  readonly documents: readonly Document[];
  readonly findings: readonly UploadFinding[];
  /** The number of further findings. */
  readonly omittedFindings: number;
}

/** Reads all documents of a delivery or held delivery. */
export async function readDocuments(product: Product, bytes: Uint8Array): Promise<ParsedFile> {
  const documents: Document[] = [];
  const findings: UploadFinding[] = [];
  let omittedFindings = 0;
  for await (const each of parseDocuments(product, bytes)) {
    if (each.document !== undefined) documents.push(each.document);
    findings.push(...each.findings);
    omittedFindings += each.omittedFindings;
  }
  return { documents, findings, omittedFindings };
}

/**
 * Reads the documents of a file one after the other. Of a CODA file, one statement is in memory at a
 * time; a CODB file is parsed as a whole.
 *
 * @param skip - the number of results that are left out. The same bytes always give the same results.
 */
export async function* parseDocuments(
  product: Product,
  source: ByteSource,
  skip = 0,
): AsyncGenerator<ParsedDocument> {
  if (product === 'CODA') yield* readCodaDocuments(source, skip);
  else yield* readCodbDocuments(await bufferOf(source), skip);
}

async function bufferOf(source: ByteSource): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source;
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns a file without documents, whose only finding says why it cannot be read. */
export function unreadableFile(code: FindingCode, value?: string | number): ParsedFile {
  return { documents: [], findings: [finding(code, value)], omittedFindings: 0 };
}
