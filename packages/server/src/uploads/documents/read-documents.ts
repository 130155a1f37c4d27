import { readCodaDocuments } from './coda-documents.js';
import { readCodbDocuments } from './codb-documents.js';
import type { Document, Product } from './document.js';
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

/** Reads the documents of an upload, a delivery or a held delivery. */
export async function readDocuments(product: Product, bytes: Uint8Array): Promise<ParsedFile> {
  const documents: Document[] = [];
  const findings: UploadFinding[] = [];
  let omittedFindings = 0;
  const parsed = product === 'CODA' ? readCodaDocuments(bytes) : readCodbDocuments(bytes);
  for await (const each of parsed) {
    if (each.document !== undefined) documents.push(each.document);
    findings.push(...each.findings);
    omittedFindings += each.omittedFindings;
  }
  return { documents, findings, omittedFindings };
}

/** Returns a file without documents, whose only finding says why it cannot be read. */
export function unreadableFile(code: FindingCode, value?: string | number): ParsedFile {
  return { documents: [], findings: [finding(code, value)], omittedFindings: 0 };
}
