import { readCodaDocuments } from './coda-documents.js';
import { readCodbDocuments } from './codb-documents.js';
import type { Document, Product } from './document.js';
import { finding, type UploadFinding } from './finding.js';

/** Largest file that is read, in bytes. */
export const maximumBytes = 25 * 2 ** 20;

/** The documents of a file, and what was found while they were read. */
export interface FileReading {
  readonly documents: readonly Document[];
  readonly findings: readonly UploadFinding[];
  readonly omittedFindings: number;
}

/** Reads the documents of a file. */
export async function readDocuments(product: Product, bytes: Uint8Array): Promise<FileReading> {
  const documents: Document[] = [];
  const findings: UploadFinding[] = [];
  let omittedFindings = 0;
  const readings = product === 'CODA' ? readCodaDocuments(bytes) : readCodbDocuments(bytes);
  for await (const reading of readings) {
    if (reading.document !== undefined) documents.push(reading.document);
    findings.push(...reading.findings);
    omittedFindings += reading.omittedFindings;
  }
  return { documents, findings, omittedFindings };
}

/** The reading of a file that cannot be read at all: one finding, which says why. */
export function unread(code: Parameters<typeof finding>[0], seen?: string | number): FileReading {
  return { documents: [], findings: [finding(code, seen)], omittedFindings: 0 };
}
