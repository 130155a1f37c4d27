import type { Document, Product } from '../../files/document.js';
import { readCodaDocuments } from './coda-documents.js';
import { readCodbDocuments } from './codb-documents.js';
import { type FindingCode, finding, type KeptFindings, type ParsedDocument } from './finding.js';

/** The size of the largest file that is read, in bytes. */
export const maximumBytes = 25 * 2 ** 20;

export interface ParsedFile extends KeptFindings {
  readonly documents: readonly Document[];
}

export async function readDocuments(product: Product, bytes: Uint8Array): Promise<ParsedFile> {
  const results = product === 'CODA' ? readCodaDocuments(bytes, 0) : readCodbDocuments(bytes, 0);
  const parsed: ParsedDocument[] = [];
  for await (const result of results) parsed.push(result);
  return fileOf(parsed);
}

export function fileOf(parsed: readonly ParsedDocument[]): ParsedFile {
  return {
    documents: parsed.flatMap(({ document }) => document ?? []),
    findings: parsed.flatMap(({ findings }) => findings),
    omittedFindings: parsed.reduce((sum, { omittedFindings }) => sum + omittedFindings, 0),
  };
}

/**
 * Reads documents: of a CODA file with one statement in memory at a time, a CODB file as a whole.
 *
 * @param part.size - the size of the file in bytes
 * @param part.skip - the number of results that are left out, which are the same each time
 */
export async function* parseDocuments(
  product: Product,
  source: AsyncIterable<Uint8Array>,
  { size, skip }: { readonly size: number; readonly skip: number },
): AsyncGenerator<ParsedDocument> {
  if (product === 'CODA') yield* readCodaDocuments(source, skip);
  else yield* readCodbDocuments(await readAll(source, size), skip);
}

/** Copies each chunk as it arrives, so that no second copy of the file is in memory. */
async function readAll(source: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let end = 0;
  for await (const chunk of source) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes.subarray(0, end);
}

export function unreadableFile(code: FindingCode, value?: string | number): ParsedFile {
  return { documents: [], findings: [finding(code, value)], omittedFindings: 0 };
}
